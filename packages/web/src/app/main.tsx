import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyTheme } from '../components/theme.ts'
import { Providers } from './providers.tsx'
import './styles.css'

applyTheme()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id “root”')
createRoot(root).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
)
