/** Settings of a check for tests of rules: every ten minutes in one place, without retries. */
import type { CheckSettings, SettingsOf } from '../checks/check.ts'

export function someSettings(given: Partial<CheckSettings> = {}): SettingsOf<'API'> {
  return {
    request: { method: 'GET', url: 'http://shop.test/' },
    description: null,
    locations: ['us-east-1'],
    privateLocations: [],
    runParallel: false,
    frequency: 10,
    frequencyOffset: 1,
    retryStrategy: null,
    doubleCheck: false,
    shouldFail: false,
    useGlobalAlertSettings: true,
    alertSettings: null,
    runtimeId: null,
    triggerIncident: null,
    dependsOn: [],
    ...given,
  }
}
