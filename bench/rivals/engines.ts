import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from './child-process.ts'
import { luceneCommand } from './lucene/class-path.ts'
import type { PreparedCorpus } from './prepared-corpus.ts'

/** An engine of the bench. */
export interface EnginePlan {
  readonly name: string
  /** Whether its index lies in files that another process can open. */
  readonly isOnDisk: boolean
  /** Whether it scores as Lamella does, so that hits and score bits must be equal. */
  readonly isExact: boolean
  /** Whether it cuts one segment into slices; else it is given several segments for that. */
  readonly cutsSegments: boolean
  /** The form of the documents that it reads. */
  readonly documents: 'tabbed' | 'ndjson' | 'tokens'
  /**
   * How its process is started.
   * @throws {Error} why it cannot run here
   */
  readonly command: (cache: string) => Command
  /** How the process is started that answers in the mode `fetch`; null: the same one. */
  readonly fetchCommand: (() => Command) | null
}

const HERE = fileURLToPath(new URL('.', import.meta.url))

function script(...path: string[]): Command {
  return { program: process.execPath, args: [join(HERE, ...path)] }
}

/** Every engine, Lamella first: what others are held against. */
export const ENGINES: readonly EnginePlan[] = [
  {
    name: 'lamella',
    isOnDisk: true,
    isExact: true,
    cutsSegments: true,
    documents: 'ndjson',
    command: () => script('lamella', 'search-child.mjs'),
    fetchCommand: () => script('lamella', 'fetch-child.mjs'),
  },
  {
    name: 'lucene',
    isOnDisk: true,
    isExact: true,
    cutsSegments: false,
    documents: 'tabbed',
    command: luceneCommand,
    fetchCommand: null,
  },
]

/** The file of the documents that an engine reads. */
export function documentsFor(plan: EnginePlan, corpus: PreparedCorpus): string {
  return corpus[plan.documents]
}
