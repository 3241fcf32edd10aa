export enum Level {
  Guest,
  Admin = 5,
}

export class Account {
  readonly #level: Level
  constructor(
    readonly name: string,
    level: Level,
  ) {
    this.#level = level
  }
  mayDelete(): boolean {
    return this.#level === Level.Admin
  }
  demand(what: string): void {
    if (!this.mayDelete()) throw new Error(`${this.name} may not ${what}`)
  }
}
