/** How messages lie one after another in a gRPC call. */
import { targetFailure } from '../http/failure.ts'

/** As much as gRPC libraries take of a message by default. */
export const MESSAGE_LIMIT = 4 * 1024 * 1024

/** A flag for compression and the length in front. */
export function framed(message: Uint8Array): Buffer {
  const frame = Buffer.alloc(5 + message.length)
  frame.writeUInt32BE(message.length, 1)
  frame.set(message, 5)
  return frame
}

/** @throws RequestFailure when the bytes are not whole messages. */
export function messagesIn(bytes: Buffer): Uint8Array[] {
  const messages: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < 5)
      throw targetFailure('body', 'ERR_GRPC_FRAME', 'the answer ends in the middle of a message')
    if (bytes[at] !== 0)
      throw targetFailure('body', 'ERR_GRPC_FRAME', 'the answer is compressed, although that was not offered')
    const length = bytes.readUInt32BE(at + 1)
    if (length > MESSAGE_LIMIT)
      throw targetFailure('body', 'ERR_TOO_LARGE', `a message is larger than ${MESSAGE_LIMIT / 2 ** 20} MB`)
    if (bytes.length - at - 5 < length)
      throw targetFailure('body', 'ERR_GRPC_FRAME', 'the answer ends in the middle of a message')
    messages.push(bytes.subarray(at + 5, at + 5 + length))
    at += 5 + length
  }
  return messages
}
