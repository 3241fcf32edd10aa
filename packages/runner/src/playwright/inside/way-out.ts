/** A port of our own that leads to the proxy outside, of which only a unix socket is in reach. */
import http from 'node:http'
import net from 'node:net'

/** @returns the address of the proxy; requests of this process's `http` and `fetch` go through it from now on */
export async function openTheWayOut(socket: string): Promise<string> {
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
  const proxy = `http://127.0.0.1:${address.port}`
  // For processes that it starts, and for libraries that look here.
  Object.assign(process.env, { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy })
  process.env.NODE_USE_ENV_PROXY = '1'
  http.setGlobalProxyFromEnv({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy })
  return proxy
}
