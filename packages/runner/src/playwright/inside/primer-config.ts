/** The configuration for what a template does first: what was loaded for that cannot be loaded anew for a run. */
import { configurationOf } from './configuration.ts'
import { readSettings } from './settings.ts'

export default configurationOf(readSettings())
