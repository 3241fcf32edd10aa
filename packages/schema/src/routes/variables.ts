import Type from 'typebox'
import { PageQuery, route } from '../route.ts'
import { Variable, VariableCreate, VariableUpdate } from '../variable.ts'

const tag = 'Variables'
const params = Type.Object({ key: Type.String() })
const refusals = { 404: 'No such variable in this account.' }

export const listVariables = route({
  method: 'GET',
  path: '/v1/variables',
  policy: 'read',
  tag,
  summary: 'List variables',
  query: Type.Object(PageQuery),
  answers: { 200: Type.Array(Variable) },
})

export const createVariable = route({
  method: 'POST',
  path: '/v1/variables',
  policy: 'write',
  tag,
  summary: 'Create a variable',
  body: VariableCreate,
  answers: { 201: Variable },
  refusals: { 409: 'There is a variable with this key.' },
})

export const getVariable = route({
  method: 'GET',
  path: '/v1/variables/{key}',
  policy: 'read',
  tag,
  summary: 'Get a variable',
  params,
  answers: { 200: Variable },
  refusals,
})

export const updateVariable = route({
  method: 'PUT',
  path: '/v1/variables/{key}',
  policy: 'write',
  tag,
  summary: 'Set the value of a variable',
  params,
  body: VariableUpdate,
  answers: { 200: Variable },
  refusals,
})

export const deleteVariable = route({
  method: 'DELETE',
  path: '/v1/variables/{key}',
  policy: 'write',
  tag,
  summary: 'Delete a variable',
  params,
  answers: { 204: null },
  refusals,
})
