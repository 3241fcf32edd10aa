/** The table of commands, and which of them is asked for. */
import { existsSync } from 'node:fs'
import { ConfigError } from '@vedette/server'
import type { Command } from './command.ts'
import { agent } from './commands/agent.ts'
import { bundle } from './commands/bundle.ts'
import { databaseUrl } from './commands/database-url.ts'
import { migrate } from './commands/migrate.ts'
import { runtime } from './commands/runtime.ts'
import { start } from './commands/start.ts'

const commands: Readonly<Record<string, Command>> = {
  start,
  agent,
  bundle,
  migrate,
  runtime,
  'database-url': databaseUrl,
}

function overview(): string {
  const lines = Object.entries(commands).map(([name, command]) => `  ${name.padEnd(14)} ${command.summary}`)
  return `Usage: vedette <command>\n\n${lines.join('\n')}\n\nvedette <command> --help tells more about a command.\n`
}

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined || name === '--help' || name === 'help') {
    process.stdout.write(overview())
    return name === undefined ? 2 : 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    process.stderr.write(`There is no command "${name}".\n\n${overview()}`)
    return 2
  }
  if (rest.includes('--help')) {
    process.stdout.write(command.help)
    return 0
  }
  // What the environment says wins over the file.
  if (existsSync('.env')) process.loadEnvFile('.env')
  try {
    return await command.run(rest)
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.message}\n`)
      return 2
    }
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    if (process.env.LOG_LEVEL === 'debug') console.error(error)
    return 1
  }
}
