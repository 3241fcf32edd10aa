/** A real gRPC server, of the reference implementation: orders, health and reflection. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import * as grpc from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { ReflectionService } from '@grpc/reflection'
import { HealthImplementation } from 'grpc-health-check'

export const ORDERS_PROTO = `
syntax = "proto3";
package shop;
enum State { UNKNOWN = 0; PAID = 1; }
message Item { string name = 1; int64 cents = 2; }
message Order { string id = 1; State state = 2; repeated Item items = 3; map<string, string> labels = 4; bytes seal = 5; }
message Wanted { string id = 1; }
service Orders {
  rpc Get(Wanted) returns (Order);
  rpc All(Wanted) returns (stream Order);
  rpc Put(stream Order) returns (Wanted);
}
`

const ORDER = {
  id: 'o-1',
  state: 'PAID',
  items: [{ name: 'pen', cents: '9007199254740993' }],
  labels: { team: 'red' },
  seal: Buffer.from('hi'),
}

export interface GrpcServerOptions {
  credentials?: grpc.ServerCredentials
  withReflection?: boolean
  health?: Record<string, 'SERVING' | 'NOT_SERVING'>
}

/** Answers the port. */
export async function startGrpcServer(
  t: TestContext,
  { credentials = grpc.ServerCredentials.createInsecure(), withReflection = true, health }: GrpcServerOptions = {},
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-grpc-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'orders.proto')
  await writeFile(file, ORDERS_PROTO)
  const definition = loadSync(file, { keepCase: true, longs: String, enums: String, bytes: Buffer })
  const server = new grpc.Server()
  const orders = grpc.loadPackageDefinition(definition).shop
  const service = Reflect.get(Reflect.get(Object(orders), 'Orders'), 'service')
  const get: grpc.handleUnaryCall<{ id: string }, object> = (call, answer) => {
    const { id } = call.request
    if (id === 'missing') return answer({ code: grpc.status.NOT_FOUND, details: 'no such order: ä%' })
    if (id === 'slow') return
    call.sendMetadata(Object.assign(new grpc.Metadata(), {}))
    const trailer = new grpc.Metadata()
    trailer.set('x-served-by', String(call.metadata.get('x-token')[0] ?? 'nobody'))
    answer(null, { ...ORDER, id }, trailer)
  }
  server.addService(service, {
    Get: get,
    All: (call: grpc.ServerWritableStream<{ id: string }, object>) => {
      call.write({ ...ORDER, id: '1' })
      call.write({ ...ORDER, id: '2' })
      call.end()
    },
    Put: () => {},
  })
  if (withReflection) new ReflectionService(definition).addToServer(server)
  if (health !== undefined) new HealthImplementation(health).addToServer(server)
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? reject(error) : resolve(bound))),
  )
  t.after(() => server.forceShutdown())
  return port
}
