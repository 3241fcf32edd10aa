/** What a template is made of, once parsed. */

export type Literal = string | number | boolean | null

export interface Path {
  is: 'path'
  at: number
  /** How it was written: what a closing tag must repeat. */
  text: string
  /** `@index` and its like: facts about the present turn of a loop. */
  data: boolean
  /** How many scopes up it starts: the number of `../`. */
  up: number
  /** Names a scope itself (`this.x`, `../x`) and is not searched in the outer ones. */
  explicit: boolean
  names: string[]
}

export interface Call {
  is: 'call'
  at: number
  name: string
  args: Expression[]
}

export type Expression = { is: 'literal'; value: Literal | undefined } | Path | Call

export interface Block {
  is: 'block'
  at: number
  /** The word after `#`: a block of the language, a helper, or a variable. */
  subject: Path
  args: Expression[]
  /** `{{^x}}…{{/x}}` and `{{else if x}}` are blocks too; the former with its two branches exchanged. */
  body: Node[]
  otherwise: Node[]
}

export type Node =
  | { is: 'text'; text: string }
  | { is: 'value'; at: number; expression: Expression; raw: boolean }
  | Block
