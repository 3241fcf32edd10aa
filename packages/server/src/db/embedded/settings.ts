import { totalmem } from 'node:os'

/**
 * How the engine is run. Given on its command line, so that a newer Vedette's settings hold from the engine's next
 * start; one that is adopted keeps those it was started with.
 */
export function engineSettings(options: { socketDir: string; durable: boolean }): Record<string, string> {
  return {
    // Reached through its socket only, by the server's user only.
    listen_addresses: '',
    unix_socket_directories: options.socketDir,
    unix_socket_permissions: '0700',
    password_encryption: 'scram-sha-256',

    max_connections: '60',
    shared_buffers: `${sharedBuffersMb(totalmem())}MB`,
    work_mem: '8MB',
    // What is read all the time is in memory, and disks do not turn any more: rows that are known are fetched by their keys.
    random_page_cost: '1.1',
    maintenance_work_mem: '64MB',

    // Queries are short and the cores belong to the checks. It also spares /dev/shm, which is small in containers.
    max_parallel_workers: '0',
    jit: 'off',

    // Few, spread-out checkpoints: less is written, and a steady stream of small commits is not disturbed.
    synchronous_commit: 'on',
    wal_level: 'replica',
    max_wal_senders: '2',
    wal_compression: 'pglz', // the binaries come without lz4
    min_wal_size: '128MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    checkpoint_completion_target: '0.9',

    // Rows of schedules and leases change all the time: clean up early, and a little at a time.
    autovacuum_naptime: '15s',
    autovacuum_max_workers: '2',
    autovacuum_vacuum_scale_factor: '0.1',
    autovacuum_analyze_scale_factor: '0.05',

    // A client that is gone must not hold locks: one that forgot a transaction, or whose process was frozen.
    idle_in_transaction_session_timeout: '5min',

    TimeZone: 'UTC',
    log_timezone: 'UTC',
    // What the engine says of itself. Refused statements are reported by whoever sent them.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',

    ...(options.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
}

/**
 * A sixteenth of the memory: what is not needed is not taken from the machine, and a page that is in it is not fetched
 * from the system again, which costs more than reading the rows in it.
 */
function sharedBuffersMb(memoryBytes: number): number {
  return Math.round(Math.min(1024, Math.max(128, memoryBytes / 2 ** 20 / 16)))
}
