/** Small numbers in few bytes: what roll-ups are written in. Source of the variable length: LEB128, unsigned. */

export class ByteWriter {
  #bytes = new Uint8Array(256)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  /** A whole number from 0 to 2^53 − 1. */
  varint(value: number): void {
    this.#reserve(8)
    let rest = value
    while (rest > 127) {
      this.#bytes[this.#length] = (rest % 128) + 128
      this.#length += 1
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#length] = rest
    this.#length += 1
  }

  float64(value: number): void {
    this.#reserve(8)
    this.#view.setFloat64(this.#length, value)
    this.#length += 8
  }

  float32(value: number): void {
    this.#reserve(4)
    this.#view.setFloat32(this.#length, value)
    this.#length += 4
  }

  /** A part that a reader can skip: its length goes before it. */
  part(bytes: Uint8Array): void {
    this.varint(bytes.length)
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more))
    larger.set(this.#bytes)
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  varint(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.#at]
      if (byte === undefined) throw new RangeError('The bytes end in the middle of a number.')
      this.#at += 1
      if (byte < 128) return value + byte * scale
      value += (byte - 128) * scale
    }
  }

  float64(): number {
    this.#at += 8
    return this.#view.getFloat64(this.#at - 8)
  }

  float32(): number {
    this.#at += 4
    return this.#view.getFloat32(this.#at - 4)
  }

  /** What `ByteWriter.part` wrote. */
  part(): ByteReader {
    const length = this.varint()
    this.#at += length
    return new ByteReader(this.#bytes.subarray(this.#at - length, this.#at))
  }

  skipPart(): void {
    const length = this.varint()
    this.#at += length
  }
}
