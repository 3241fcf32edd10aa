/** A command of `vedette`. */
export interface Command {
  /** One line for the list of commands. */
  summary: string
  /** What follows the command's name, its variables, an example. */
  help: string
  /** Returns the exit code. */
  run(args: readonly string[]): Promise<number>
}
