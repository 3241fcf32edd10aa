import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readTestCommand } from './suite-command.ts'

const argsOf = (command: string | null) => {
  const { args, problem } = readTestCommand(command)
  assert.equal(problem, null)
  return args
}

test('without a command all tests of the project run', () => {
  for (const command of [null, '', '  ', 'playwright test', ' npx  playwright test '])
    assert.deepEqual(argsOf(command), [])
})

test('arguments are those that a shell would give', () => {
  assert.deepEqual(argsOf('npx playwright test --project=shop --retries 2'), ['--project=shop', '--retries', '2'])
  assert.deepEqual(argsOf(`playwright test --grep "buys a shirt|pays" 'tests/a b.spec.ts'`), [
    ...['--grep', 'buys a shirt|pays', 'tests/a b.spec.ts'],
  ])
  assert.deepEqual(argsOf(String.raw`playwright test a\ b "c\"d" "e\f" '' ''`), ['a b', 'c"d', String.raw`e\f`, '', ''])
  assert.deepEqual(argsOf(`playwright test --grep='a$'b`), ['--grep=a$b'])
})

test('what would need a shell, another program or a screen is refused with the reason', () => {
  const problems = {
    'npm test': /must begin with "npx playwright test"/,
    'CI=1 npx playwright test': /environmentVariables/,
    'npx playwright install': /must begin with/,
    'npx playwright test && rm -rf /': /must not have "&"/,
    'npx playwright test | tee log': /must not have "\|"/,
    'npx playwright test $(id)': /must not have "\$"/,
    'npx playwright test "$HOME"': /must not have "\$"/,
    'npx playwright test\nid': /a line break/,
    'npx playwright test tests/*.ts': /must not have "\*"/,
    'npx playwright test "a': /must close the quote "/,
    'npx playwright test a\\': /must not end with a backslash/,
    'npx playwright test --ui': /--ui: nobody sees/,
    'npx playwright test --headed': /there is no screen/,
    'npx playwright test --only-changed=main': /no history/,
    'npx playwright test --list': /runs no tests/,
  }
  for (const [command, reason] of Object.entries(problems)) {
    const { args, problem } = readTestCommand(command)
    assert.equal(args, null, command)
    assert.match(problem, reason, command)
  }
})

test('whatever the arguments are, quoted they come back as they were', () => {
  const argument = fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => !/[\0]|^-/.test(text))
  fc.assert(
    fc.property(fc.array(argument, { maxLength: 10 }), (args) => {
      const quoted = args.map((arg) => `'${arg.replaceAll("'", String.raw`'\''`)}'`)
      assert.deepEqual(argsOf(['npx playwright test', ...quoted].join(' ')), args)
    }),
  )
})

test('whatever is written, it is read or refused with a reason', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (rest) => {
      const { args, problem } = readTestCommand(`playwright test ${rest}`)
      assert.ok(args === null ? problem.length > 0 : args.every((arg) => !arg.includes('\0')))
    }),
  )
})
