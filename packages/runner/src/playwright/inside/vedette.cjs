'use strict'
/** `require('vedette')` of a script: asks for the run to count as degraded. */
exports.degraded = function degraded(reason) {
  const mark = globalThis[Symbol.for('vedette.degraded')]
  if (mark) mark(String(reason))
}
