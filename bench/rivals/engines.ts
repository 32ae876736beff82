import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from './child-process.ts'
import type { Line } from './lines.ts'
import { luceneCommand } from './lucene/class-path.ts'
import { nodeRivalCommand } from './node/package-setup.ts'
import type { PreparedCorpus } from './prepared-corpus.ts'
import type { Mode } from './protocol.ts'

/** An engine of the bench. */
export interface EnginePlan {
  readonly name: string
  /** Whether it scores as Lamella does, so that hits and score bits must be equal. */
  readonly isExact: boolean
  /** What it is asked, on one thread; null: everything. */
  readonly modes: readonly Mode[] | null
  /** Whether it cuts one segment into slices; else it is given several segments for that. */
  readonly cutsSegments: boolean
  /** Whether several threads may build an index. */
  readonly buildsByThreads: boolean
  /** The form of the documents that it reads. */
  readonly documents: 'tabbed' | 'ndjson' | 'tokens'
  /**
   * How its process is started.
   * @throws {Error} why it cannot run here
   */
  readonly command: (cache: string) => Command
  /** How the process is started that answers where documents are fetched; null: the same one. */
  readonly fetchCommand: (() => Command) | null
}

const HERE = fileURLToPath(new URL('.', import.meta.url))

function script(...path: string[]): Command {
  return { program: process.execPath, args: [join(HERE, ...path)] }
}

/** A library of Node's world whose scores are its own. */
function nodeRival(name: string, library: string, modes: readonly Mode[]): EnginePlan {
  return {
    name,
    modes,
    isExact: false,
    cutsSegments: true,
    buildsByThreads: false,
    documents: 'tokens',
    command: () => nodeRivalCommand(join(HERE, 'node'), `${name}-child.mjs`, library),
    fetchCommand: null,
  }
}

/** Every engine, Lamella first: what others are held against. */
export const ENGINES: readonly EnginePlan[] = [
  {
    name: 'lamella',
    isExact: true,
    modes: null,
    cutsSegments: true,
    buildsByThreads: true,
    documents: 'ndjson',
    command: () => script('lamella', 'search-child.mjs'),
    fetchCommand: () => script('lamella', 'fetch-child.mjs'),
  },
  {
    name: 'lucene',
    isExact: true,
    modes: null,
    cutsSegments: false,
    buildsByThreads: true,
    documents: 'tabbed',
    command: luceneCommand,
    fetchCommand: null,
  },
  nodeRival('minisearch', 'minisearch', ['top']),
  nodeRival('flexsearch', 'flexsearch', ['top']),
  nodeRival('orama', '@orama/orama', ['top', 'sorted']),
  nodeRival('lunr', 'lunr', ['top']),
  nodeRival('wink', 'wink-bm25-text-search', ['top']),
  nodeRival('sqlite', 'better-sqlite3', ['top', 'count', 'sorted']),
]

/** Whether an engine takes part in a line. */
export function isAsked({ modes }: EnginePlan, { mode, slices }: Line): boolean {
  return modes === null || (slices === 1 && modes.includes(mode))
}

/** The file of the documents that an engine reads. */
export function documentsFor(plan: EnginePlan, corpus: PreparedCorpus): string {
  return corpus[plan.documents]
}
