import type { CheckGroup } from '@vedette/schema'
import { createContext } from 'react'

/** The group whose settings go before what is being filled in. */
export const FormGroup = createContext<CheckGroup | undefined>(undefined)
