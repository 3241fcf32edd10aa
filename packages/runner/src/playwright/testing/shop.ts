/** A shop with an API and pages, that keeps what it is told for whoever brings the same token: scripts do not see each other. */
import type { IncomingMessage, ServerResponse } from 'node:http'

interface Order {
  id: number
  item: string
  quantity: number
}
interface Customer {
  orders: Map<number, Order>
  asked: number
}

const PAGES: Readonly<Record<string, string>> = {
  '/shop/login': `<h1>Sign in</h1><form action="/shop/session"><label>User <input name="user"></label>
    <label>Password <input name="password" type="password"></label><button>Sign in</button></form>`,
  '/shop/catalogue': `<h1>Catalogue</h1><table><thead><tr><th>Item<th>Price<th></tr></thead><tbody></tbody></table>
    <p>In the cart: <output>0</output></p><script>
    const cart = document.querySelector('output')
    fetch('/shop/items').then((r) => r.json()).then((items) => {
      for (const { name, price } of items) {
        const row = document.querySelector('tbody').insertRow()
        row.insertCell().textContent = name
        row.insertCell().textContent = price + ' €'
        const button = row.insertCell().appendChild(document.createElement('button'))
        button.textContent = 'Add'
        button.onclick = () => { cart.textContent = Number(cart.textContent) + 1 }
      }
    })</script>`,
  '/shop/board': `<style>div { border: 1px solid; min-height: 40px; margin: 8px }</style>
    <div id="todo"><p draggable="true" id="card">Ship it</p></div><div id="done"></div>
    <script>
    let carried = null
    card.ondragstart = (event) => { carried = event.target }
    done.ondragover = (event) => event.preventDefault()
    done.ondrop = () => done.append(carried)
    addEventListener('keydown', (event) => { if (event.ctrlKey && event.key === 'k') document.title = 'Search' })
    card.onmouseenter = () => { card.title = 'seen' }
    </script>`,
  '/shop/place': `<button onclick="navigator.geolocation.getCurrentPosition(({ coords }) => { place.textContent = coords.latitude })">
    Where am I?</button><p id="place"></p><p id="date"></p><script>date.textContent = new Date(0).toLocaleDateString()</script>`,
  '/shop/chat': `<ul></ul><script>
    const socket = new WebSocket('ws://' + location.host + '/shop/socket')
    socket.onopen = () => socket.send('hello')
    socket.onmessage = ({ data }) => { document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>' + data) }
    </script>`,
}
const ITEMS = [
  { name: 'Lantern', price: 40 },
  { name: 'Rope', price: 12 },
  { name: 'Compass', price: 25 },
]

/** @returns whether it was for the shop */
export function startShop(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const customers = new Map<string, Customer>()
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (!pathname.startsWith('/shop/')) return false
    answer(pathname.slice('/shop'.length), searchParams, request, response, customers)
    return true
  }
}

async function answer(
  path: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
  customers: Map<string, Customer>,
): Promise<void> {
  const json = (status: number, value?: unknown) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(value === undefined ? '' : JSON.stringify(value))
  const html = (text: string) => response.setHeader('content-type', 'text/html').end(text)
  const page = PAGES[`/shop${path}`]
  if (page !== undefined) return void html(page)
  if (path === '/items') return void json(200, ITEMS)
  if (path === '/session') {
    const isRight = query.get('user') !== '' && query.get('password') === 'open sesame'
    if (isRight) response.setHeader('set-cookie', `shopper=${query.get('user')}; Path=/`)
    return void html(isRight ? `<h1>Welcome, ${query.get('user')}</h1>` : '<p role="alert">Wrong password</p>')
  }
  if (path === '/me') {
    const name = /shopper=(\w+)/.exec(request.headers.cookie ?? '')?.[1]
    return void (name === undefined ? html('<h1>Please sign in</h1>') : html(`<h1>${name}’s orders</h1>`))
  }
  let body = ''
  for await (const chunk of request) body += chunk
  if (path === '/token') return void json(200, { token: `token-of-${JSON.parse(body).user}` })
  if (path === '/graphql') {
    const { variables } = JSON.parse(body)
    const item = ITEMS.find(({ name }) => name === variables.name)
    return void json(200, item === undefined ? { errors: [{ message: `no ${variables.name}` }] } : { data: { item } })
  }
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) return void json(401, { error: 'who are you?' })
  const customer = customers.get(token) ?? { orders: new Map<number, Order>(), asked: 0 }
  customers.set(token, customer)
  const id = Number(/^\/orders\/(\d+)$/.exec(path)?.[1] ?? 0)
  if (path === '/orders' && request.method === 'POST') {
    const order = { id: customer.orders.size + 1, ...JSON.parse(body) }
    customer.orders.set(order.id, order)
    json(201, order)
  } else if (path === '/orders') json(200, [...customer.orders.values()])
  else if (path === '/job') {
    customer.asked += 1
    json(200, { state: customer.asked % 3 === 0 ? 'done' : 'running' })
  } else if (!customer.orders.has(id)) json(404, { error: `no order ${id}` })
  else if (request.method === 'DELETE') {
    customer.orders.delete(id)
    json(204)
  } else {
    const order = { ...customer.orders.get(id), ...(request.method === 'PATCH' && JSON.parse(body)) }
    customer.orders.set(id, order)
    json(200, order)
  }
}
