/**
 * Stands in for TypeBox when the page is built. The browser takes the routes' methods and paths and the lists of words
 * from the schema package, and leaves validation to the server: the shapes themselves would be a quarter of the
 * script that a first visit loads. A shape that is read here all the same is that of an object without properties.
 */
const shapeless = new Proxy({}, { get: () => () => ({ properties: {} }) })

export default shapeless
