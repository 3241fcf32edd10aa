import Type from 'typebox'
import { Nullable } from '../shape.ts'

/** A short text that people give a channel and that nothing depends on. */
export const Label = (description: string) => Nullable(Type.String({ maxLength: 255 }), { default: null, description })
