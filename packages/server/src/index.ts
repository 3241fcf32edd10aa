export { type Config, ConfigError, readConfig } from './config.ts'
export { migrateDatabase } from './db/migrate.ts'
export { createLog, type Log } from './log.ts'
export { type RunningServer, startServer } from './server.ts'
