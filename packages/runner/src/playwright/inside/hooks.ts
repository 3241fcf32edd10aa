import type { Settings } from './settings.ts'
export function installHooks(_core: unknown, _settings: Settings): void {}
