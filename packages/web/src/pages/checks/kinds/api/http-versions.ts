import { HTTP_VERSIONS, type HttpVersion } from '@vedette/schema'

const words: { readonly [V in HttpVersion]: string } = {
  'HTTP/1.1': 'HTTP/1.1',
  'HTTP/2': 'HTTP/2',
  auto: 'HTTP/2 if offered',
}

export const httpVersionOptions = HTTP_VERSIONS.map((value) => ({ value, label: words[value] }))
