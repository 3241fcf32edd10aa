import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyTheme } from '../components/theme.ts'
import { Providers } from './providers.tsx'
import { fetchPages } from './router.tsx'
import './styles.css'

const RELOAD_NOT_BEFORE_MS = 5000
const ASK_AGAIN_MS = 3000
const FETCH_PAGES_AFTER_MS = 1500

applyTheme()

// After an upgrade the files that this page knows are gone: the new page knows the new ones. Once, lest it go in a circle.
addEventListener('vite:preloadError', () => {
  if (performance.now() > RELOAD_NOT_BEFORE_MS) void reloadOnceServed()
})

/** Not while the server is away: what is on the screen is better than what the browser would show. */
async function reloadOnceServed(): Promise<void> {
  const response = await fetch('/').catch(() => null)
  if (response?.ok) location.reload()
  else setTimeout(reloadOnceServed, ASK_AGAIN_MS)
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id “root”')
createRoot(root).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
)

setTimeout(fetchPages, FETCH_PAGES_AFTER_MS)
