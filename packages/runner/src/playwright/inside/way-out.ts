/** A port of our own that leads to the proxy outside, of which only a unix socket is in reach. */
import net from 'node:net'

// Imported, it would load all of `fetch` at once, a tenth of what it takes to load Playwright.
const http = process.getBuiltinModule('node:http')
const https = process.getBuiltinModule('node:https')

export interface Bridge {
  /** Of the proxy at its other end. */
  url: string
  close(): void
}

/** @param socket that a proxy listens on */
export async function openBridge(socket: string): Promise<Bridge> {
  const bridge = net.createServer((inner) => {
    const outer = net.connect({ path: socket })
    inner.on('error', () => outer.destroy())
    outer.on('error', () => inner.destroy())
    inner.pipe(outer).pipe(inner)
    // What keeps a program alive is its own end of a connection.
    inner.unref()
    outer.unref()
  })
  bridge.unref()
  await new Promise<void>((resolve, reject) => {
    bridge.once('error', reject)
    bridge.listen(0, '127.0.0.1', resolve)
  })
  const address = bridge.address()
  if (typeof address !== 'object' || address === null) throw new Error('the way out has no address')
  return { url: `http://127.0.0.1:${address.port}`, close: () => bridge.close() }
}

/** @returns the address of the proxy; requests of this process's `http` and `fetch` go through it from now on */
export async function openTheWayOut(socket: string): Promise<string> {
  const { url: proxy } = await openBridge(socket)
  // A library that goes to the proxy by itself is not led there again by Node.js.
  const proxyEnv = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: new URL(proxy).host }
  // For processes that it starts, and for libraries that look here.
  for (const [name, value] of Object.entries(proxyEnv))
    Object.assign(process.env, { [name]: value, [name.toLowerCase()]: value })
  process.env.NODE_USE_ENV_PROXY = '1'
  useProxy(proxyEnv)
  return proxy
}

/** What `http.setGlobalProxyFromEnv` does, but the half of it that is for `fetch` only when that is looked for. */
function useProxy(proxyEnv: { HTTP_PROXY: string; HTTPS_PROXY: string; NO_PROXY: string }): void {
  const options = { keepAlive: true, scheduling: 'lifo', timeout: 5000, proxyEnv } as const
  http.globalAgent = new http.Agent(options)
  https.globalAgent = new https.Agent(options)
  const { fetch } = globalThis
  let isWhole = false
  const whenRead = (name: string, enumerable: boolean, find: () => unknown) => {
    const put = (value: unknown) =>
      Object.defineProperty(globalThis, name, { configurable: true, enumerable, writable: true, value })
    const get = () => {
      if (!isWhole) http.setGlobalProxyFromEnv(proxyEnv)
      isWhole = true
      const value = find()
      put(value)
      return value
    }
    Object.defineProperty(globalThis, name, { configurable: true, enumerable, get, set: put })
  }
  whenRead('fetch', true, () => fetch)
  whenRead('WebSocket', false, () => http.WebSocket)
}
