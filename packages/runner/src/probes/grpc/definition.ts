/** Where the messages of a method get their shape from: the server's reflection, or the text of a .proto file. */
import { createFileRegistry, type DescMethod, type FileRegistry, fromBinary } from '@bufbuild/protobuf'
import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire'
import {
  type DescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
} from '@bufbuild/protobuf/wkt'
import protobuf from 'protobufjs'
import 'protobufjs/ext/descriptor.js'
import { ownFailure, targetFailure } from '../http/failure.ts'
import type { GrpcReply } from './call.ts'

export interface Definition {
  method: DescMethod
  registry: FileRegistry
}

function orRefuse<T>(work: () => T, refusal: (reason: string) => Error): T {
  try {
    return work()
  } catch (error) {
    throw refusal(error instanceof Error ? error.message : String(error))
  }
}

const WELL_KNOWN = [
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
]

/** `shop.Orders/Get`, with or without a slash in front. */
export function splitMethod(name: string): { service: string; method: string } {
  const [service = '', method = ''] = name.replace(/^\//, '').split('/')
  return { service, method }
}

/** @throws RequestFailure of our own: what the user wrote cannot be used. */
export function definitionFromText(text: string, name: string): Definition {
  let files: FileDescriptorProto[]
  try {
    const root = new protobuf.Root()
    protobuf.parse(text, root, { keepCase: true })
    root.resolveAll()
    const set = root.toDescriptor('proto3')
    files = fromBinary(FileDescriptorSetSchema, set.$type.encode(set).finish()).file
  } catch (error) {
    throw wrongSettings(`the .proto file cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  const found = orRefuse(
    () => definitionIn(files, name),
    (reason) => wrongSettings(`the .proto file cannot be used: ${reason}`),
  )
  if (found === null) throw wrongSettings(`the .proto file does not define the method ${name}`)
  return found
}

const REFLECTIONS = [
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
]
const UNIMPLEMENTED = 12
const FILES_LIMIT = 200

/** @throws RequestFailure when the server does not tell, or does not have the method. */
export async function definitionFromServer(
  ask: (path: string, message: Uint8Array) => Promise<GrpcReply>,
  name: string,
): Promise<Definition> {
  const { service } = splitMethod(name)
  const files = new Map<string, FileDescriptorProto>()
  const path = await workingReflection(ask, service, files)
  const wanted = () =>
    [...files.values()].flatMap(({ dependency }) => dependency).find((file) => !files.has(file) && !isWellKnown(file))
  for (let file = wanted(); file !== undefined; file = wanted()) {
    if (files.size >= FILES_LIMIT)
      throw targetFailure(
        'answer',
        'ERR_GRPC_REFLECTION',
        `the server describes ${service} in more than ${FILES_LIMIT} files`,
      )
    const before = files.size
    readReflection(await ask(path, reflectionRequest(3, file)), files)
    if (files.size === before)
      throw targetFailure(
        'answer',
        'ERR_GRPC_REFLECTION',
        `the server does not describe ${file}, which ${service} needs`,
      )
  }
  const found = orRefuse(
    () => definitionIn([...files.values()], name),
    (reason) =>
      targetFailure('answer', 'ERR_GRPC_REFLECTION', `what the server says of its messages makes no sense: ${reason}`),
  )
  if (found === null) throw targetFailure('answer', 'ERR_GRPC_METHOD', `the server has no method ${name}`)
  return found
}

/** The newer service, else the older one. Answers its path. */
async function workingReflection(
  ask: (path: string, message: Uint8Array) => Promise<GrpcReply>,
  service: string,
  files: Map<string, FileDescriptorProto>,
): Promise<string> {
  for (const path of REFLECTIONS) {
    const reply = await ask(path, reflectionRequest(4, service))
    if (reply.status === UNIMPLEMENTED) continue
    readReflection(reply, files)
    if (files.size === 0) throw targetFailure('answer', 'ERR_GRPC_METHOD', `the server has no service ${service}`)
    return path
  }
  throw targetFailure('answer', 'ERR_GRPC_REFLECTION', 'the server has no reflection: give the check a .proto file')
}

/** Field 3: a file by its name. Field 4: the file that holds a symbol. */
function reflectionRequest(field: 3 | 4, value: string): Uint8Array {
  return new BinaryWriter().tag(field, 2).string(value).finish()
}

const FILE_DESCRIPTORS = 4
const ERROR = 7

function readReflection({ status, statusMessage, messages }: GrpcReply, files: Map<string, FileDescriptorProto>): void {
  if (status !== 0)
    throw targetFailure(
      'answer',
      'ERR_GRPC_REFLECTION',
      `the reflection of the server failed: ${statusMessage || status}`,
    )
  try {
    for (const message of messages) {
      for (const { field, bytes } of fieldsOf(message)) {
        if (field === ERROR) return
        if (field !== FILE_DESCRIPTORS) continue
        for (const { bytes: file } of fieldsOf(bytes)) {
          const parsed = fromBinary(FileDescriptorProtoSchema, file)
          files.set(parsed.name, parsed)
        }
      }
    }
  } catch {
    throw targetFailure('answer', 'ERR_GRPC_REFLECTION', 'what the server says of its messages cannot be read')
  }
}

/** Those that hold bytes. */
function fieldsOf(message: Uint8Array): { field: number; bytes: Uint8Array }[] {
  const found: { field: number; bytes: Uint8Array }[] = []
  const reader = new BinaryReader(message)
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag()
    if (wireType === 2) found.push({ field, bytes: reader.bytes() })
    else reader.skip(wireType)
  }
  return found
}

/** @throws Error when the files contradict themselves. */
function definitionIn(files: readonly FileDescriptorProto[], name: string): Definition | null {
  const { service, method } = splitMethod(name)
  complete(files)
  const holding = files.find((file) => file.service.some((one) => fullName(file, one.name) === service))
  if (holding === undefined) return null
  const registry = createFileRegistry(
    holding,
    (file) => files.find((one) => one.name === file) ?? WELL_KNOWN.find(({ proto }) => proto.name === file),
  )
  const found = registry.getService(service)?.methods.find((one) => one.name === method)
  return found === undefined ? null : { method: found, registry }
}

/**
 * Some libraries leave type names as they were written, and the names of fields in JSON out; readers want the former
 * whole, from the root on, and the latter said.
 */
function complete(files: readonly FileDescriptorProto[]): void {
  const known = new Set<string>()
  const learn = (scope: string, { name, nestedType, enumType }: DescriptorProto) => {
    const own = `${scope}.${name}`
    known.add(own)
    for (const one of enumType) known.add(`${own}.${one.name}`)
    for (const one of nestedType) learn(own, one)
  }
  const scopeOf = ({ package: name }: FileDescriptorProto) => (name === '' ? '' : `.${name}`)
  for (const file of files) {
    for (const one of file.enumType) known.add(`${scopeOf(file)}.${one.name}`)
    for (const one of file.messageType) learn(scopeOf(file), one)
  }
  const whole = (scope: string, name: string): string => {
    if (name === '' || name.startsWith('.')) return name
    for (let around = scope; ; around = around.slice(0, around.lastIndexOf('.'))) {
      if (known.has(`${around}.${name}`)) return `${around}.${name}`
      // Not among these files: one of the well-known ones, whose names begin at the root.
      if (around === '') return `.${name}`
    }
  }
  const fix = (scope: string, message: DescriptorProto) => {
    const own = `${scope}.${message.name}`
    for (const field of [...message.field, ...message.extension]) {
      field.typeName = whole(own, field.typeName)
      if (field.jsonName === '')
        field.jsonName = field.name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    }
    for (const one of message.nestedType) fix(own, one)
  }
  for (const file of files) {
    const scope = scopeOf(file)
    for (const field of file.extension) field.typeName = whole(scope, field.typeName)
    for (const one of file.messageType) fix(scope, one)
    for (const { method } of file.service)
      for (const one of method) {
        one.inputType = whole(scope, one.inputType)
        one.outputType = whole(scope, one.outputType)
      }
  }
}

const fullName = (file: FileDescriptorProto, name: string) => (file.package === '' ? name : `${file.package}.${name}`)
const isWellKnown = (file: string) => WELL_KNOWN.some(({ proto }) => proto.name === file)

export const wrongSettings = (reason: string) => ownFailure('send', 'ERR_GRPC_SETTINGS', reason)
