import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyTheme } from '../components/theme.ts'
import { Providers } from './providers.tsx'
import './styles.css'

const RELOAD_NOT_BEFORE_MS = 5000

applyTheme()

// After an upgrade the files that this page knows are gone: the new page knows the new ones. Once, lest it go in a circle.
addEventListener('vite:preloadError', (event) => {
  if (performance.now() < RELOAD_NOT_BEFORE_MS) return
  event.preventDefault()
  location.reload()
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id “root”')
createRoot(root).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
)
