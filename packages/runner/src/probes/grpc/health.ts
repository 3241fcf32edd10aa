/** The messages of `grpc.health.v1.Health/Check`, which are two fields in all. */
import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire'
import { GRPC_HEALTH, type GrpcHealth } from '@vedette/schema'
import { targetFailure } from '../http/failure.ts'

export const HEALTH_CHECK = '/grpc.health.v1.Health/Check'

export function healthRequest(service: string): Uint8Array {
  const writer = new BinaryWriter()
  if (service !== '') writer.tag(1, 2).string(service)
  return writer.finish()
}

/** @throws RequestFailure when the bytes are no such message. */
export function readHealth(bytes: Uint8Array): GrpcHealth {
  let status = 0
  try {
    const reader = new BinaryReader(bytes)
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag()
      if (field === 1 && wireType === 0) status = reader.int32()
      else reader.skip(wireType)
    }
  } catch {
    throw targetFailure('body', 'ERR_GRPC_MESSAGE', 'the answer of the health service cannot be read')
  }
  return GRPC_HEALTH[status] ?? 'UNKNOWN'
}
