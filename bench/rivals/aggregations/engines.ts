import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { luceneProgram } from '../../../test/support/lucene/class-path.ts'
import type { Command } from '../child-process.ts'
import { nodeRivalCommand } from '../node/package-setup.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const PACKAGES = join(HERE, 'node')

/** An engine that aggregates. */
export interface TableEngine {
  readonly name: string
  /** The form of the rows that it reads. */
  readonly rows: 'ndjson' | 'tabbed'
  /** Whether its index stays in files, which another process opens. */
  readonly isOpened: boolean
  /**
   * How its process is started.
   * @throws {Error} why it cannot run here
   */
  readonly command: (cache: string) => Command
}

/** Every engine, Lamella first: the others are held against it. The floor is no engine, but plain loops over packed columns. */
export const TABLE_ENGINES: readonly TableEngine[] = [
  {
    name: 'lamella',
    rows: 'ndjson',
    isOpened: true,
    command: () => ({ program: process.execPath, args: [join(HERE, 'lamella-child.mjs')] }),
  },
  { name: 'lucene', rows: 'tabbed', isOpened: true, command: luceneCommand },
  {
    name: 'duckdb',
    rows: 'tabbed',
    isOpened: false,
    command: () => nodeRivalCommand(PACKAGES, 'duckdb-child.mjs', '@duckdb/node-api'),
  },
  {
    name: 'clickhouse',
    rows: 'tabbed',
    isOpened: false,
    command: () => nodeRivalCommand(PACKAGES, 'clickhouse-child.mjs', 'chdb'),
  },
  {
    name: 'floor',
    rows: 'ndjson',
    isOpened: false,
    command: () => ({ program: process.execPath, args: [join(HERE, 'floor/floor-child.mjs')] }),
  },
]

function luceneCommand(cache: string): Command {
  const own = ['TableBench.java', 'TableAggregator.java', 'TableAggregators.java']
  const sources = own.map(name => join(HERE, 'lucene', name))
  sources.push(join(HERE, '..', 'lucene', 'ChildLoop.java'))
  return luceneProgram(cache, sources, 'TableBench', ['-Xmx4g'])
}
