import { expect, test } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { plus } from './helpers/plus.mts'

const own = await readFile(new URL(import.meta.url), 'utf8')
test('a module that waits at its top', async () => {
  expect(own).toContain('import.meta.url')
  expect(plus(1, 2)).toBe(3)
  const { default: lodash } = await import('lodash')
  expect(lodash.camelCase('it works')).toBe('itWorks')
})
