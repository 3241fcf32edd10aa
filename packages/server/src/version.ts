/** The version of Vedette. */
export const VERSION = '0.1.0'
