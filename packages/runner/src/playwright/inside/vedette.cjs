'use strict'
/** `require('vedette')` of a script: asks for the run to count as degraded. */
exports.degraded = function degraded(reason) {
  const mark = globalThis[Symbol.for('vedette.degraded')]
  if (mark) mark(reason === undefined ? '' : String(reason))
}
/** As scripts call it that were written for other services. */
exports.markCheckAsDegraded = exports.degraded
