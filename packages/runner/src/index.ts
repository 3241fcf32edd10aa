export { LOG_LEVELS, type Log, type LogLevel } from './log.ts'
export { RUNNER_VERSION, type Runner, type RunnerOptions, startRunner } from './runner.ts'
export { type RunnerSettings, readSettings } from './settings.ts'
