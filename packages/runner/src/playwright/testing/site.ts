/** The pages that scripts of tests visit. */
import { createServer, type Server } from 'node:http'
import { startShop } from './shop.ts'

const FORM = `<h1>Form</h1><form onsubmit="event.preventDefault(); said.textContent = 'Hello ' + this.elements.name.value">
  <label>Name <input name="name"></label><button>Send</button></form><p id="said"></p>`

const PAGES: Readonly<Record<string, string>> = {
  '/form': FORM,
  '/twins': '<button>One</button><button>Two</button>',
  '/fetches':
    "<p id=answer></p><script>fetch('/json').then((r) => r.json()).then((j) => { answer.textContent = j.status }, () => { answer.textContent = 'none' })</script>",
  '/noisy': "<script>console.warn('a warning'); setTimeout(() => { throw new Error('on purpose') })</script>",
  '/popup': '<a href="/form" target="_blank">Open</a>',
  '/frames': '<iframe src="/form"></iframe>',
  '/upload':
    '<label>File <input type="file" onchange="var f = this.files[0]; document.getElementById(\'name\').textContent = f.name + \' \' + f.size"></label><p id="name"></p><a href="/download" download="a.txt">Get</a>',
}

export async function startSite(): Promise<{ url: string; server: Server }> {
  const isForShop = startShop()
  const server = createServer((request, response) => {
    // So that answers are the same each time.
    response.sendDate = false
    if (isForShop(request, response)) return
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const html = (body: string) => response.setHeader('content-type', 'text/html').end(body)
    const json = (value: unknown) =>
      response.setHeader('content-type', 'application/json').end(`${JSON.stringify(value)}`)
    const page = PAGES[path]
    if (page !== undefined) html(page)
    else if (path === '/json') json({ status: 'ok' })
    else if (path === '/favicon.ico') response.end()
    else if (path === '/download') response.setHeader('content-disposition', 'attachment').end('downloaded')
    else if (path === '/login') {
      response.setHeader('set-cookie', 'user=jo; Path=/')
      html('<h1>Welcome</h1>')
    } else if (path === '/whoami') html(`<h1>${/user=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? 'nobody'}</h1>`)
    else if (path === '/echo') {
      let body = ''
      request.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      request.on('end', () => json({ method: request.method, from: request.headers['x-from'] ?? null, body }))
    } else response.writeHead(404).end('nothing here')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, server }
}
