/** The configuration of Playwright for the file of tests of a run. */
import { configurationOf } from './configuration.ts'
import { readSettings } from './settings.ts'

export default configurationOf(readSettings())
