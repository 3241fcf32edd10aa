import { expect, test } from '@playwright/test'
import { Account, Level } from './helpers/account'

enum Color {
  Red = 'red',
  Blue = 'blue',
}
namespace Numbers {
  export const answer: number = 42
}
abstract class Base<T> {
  #secret: T
  constructor(
    private readonly shown: string,
    secret: T,
  ) {
    this.#secret = secret
  }
  abstract name(): string
  describe = () => `${this.shown} ${this.name()} ${String(this.#secret)}`
}
class Derived extends Base<Color> {
  override name() {
    return 'derived'
  }
}
test('types, enums and private fields', async () => {
  expect(new Derived('a', Color.Blue).describe()).toBe('a derived blue')
  expect(Numbers.answer satisfies number).toBe(42)
})
test('a helper that is imported', async () => {
  const account = new Account('jo', Level.Admin)
  expect(account.mayDelete()).toBe(true)
})
test('an error in a helper', async () => {
  new Account('jo', Level.Guest).demand('delete')
})
