/** Headers that carry credentials, told by their names: their values are not shown, locked or not. */
const CREDENTIAL =
  /^(?:authorization|proxy-authorization|cookie|set-cookie)$|api-?_?key|token|secret|password|signature/

export const isCredential = (name: string): boolean => CREDENTIAL.test(name.toLowerCase())
