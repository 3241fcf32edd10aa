/** A template that cannot be parsed, or whose rendering would outgrow its limits. */
export class TemplateError extends Error {
  /** Offset in the template. */
  readonly position: number

  constructor(problem: string, position: number) {
    super(`${problem} (at character ${position + 1})`)
    this.name = 'TemplateError'
    this.position = position
  }
}
