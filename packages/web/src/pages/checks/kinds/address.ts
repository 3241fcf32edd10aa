/** People paste `grpc://example.org:50051/` where a host is asked for. */
export function splitAddress(typed: string): { host: string; port: string | null } {
  const plain = typed
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[/?#].*$/, '')
  const [, host = plain, port = null] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(plain) ?? []
  return { host, port }
}
