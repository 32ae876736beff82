import type { Verb, VerbName } from './command-line.ts'

/** A verb that is known by name; its module is loaded when it is asked for. */
export interface KnownVerb extends VerbName {
  load(): Promise<Verb>
}

/**
 * Every verb of the command line. Their modules are loaded one at a time: a help or a typo need not wait for
 * those of the others.
 */
export const VERBS: readonly KnownVerb[] = [
  {
    name: 'demo',
    description: 'Index real text, search it in 1, 2 and N slices, draw the timings',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'serve',
    description: 'Serve a data folder over HTTP until interrupted',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'index',
    description:
      'Index files (NDJSON, _bulk bodies, a JSON array, CSV or TSV, gzipped or not; - is stdin)',
    load: async () => (await import('./index-files.ts')).indexFiles,
  },
  {
    name: 'reindex',
    description: 'Copy an index within a data folder, from a server or to one',
    load: async () => (await import('./reindex.ts')).reindex,
  },
  {
    name: 'search',
    description: 'Search an index: words, a query or a body in JSON, or @FILE',
    load: async () => (await import('./search.ts')).search,
  },
  {
    name: 'profile',
    description: 'Profile a query: the run of the median time, slice by slice',
    load: async () => (await import('./profile.ts')).profile,
  },
  {
    name: 'analyze',
    description: 'Show what an analyzer makes of a text, as a table and as a graph',
    load: async () => (await import('./analyze.ts')).analyze,
  },
  {
    name: 'snapshot',
    description: 'Copy indices into a folder, and make indices of such copies',
    load: async () => (await import('./snapshot.ts')).snapshot,
  },
  {
    name: 'security',
    description: 'Make the first users of a data folder, which requests are then asked for',
    load: async () => (await import('./security.ts')).security,
  },
  {
    name: 'tasks',
    description: 'Show what runs on a server, and cancel it',
    load: async () => (await import('./tasks.ts')).tasks,
  },
  {
    name: 'stats',
    description: 'Show what a server has and does, how often and how fast',
    load: async () => (await import('./stats.ts')).stats,
  },
  {
    name: 'doctor',
    description:
      'Find what hinders policies of indices, on a server or in a data folder, and its cure',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'recall',
    description: 'Measure how many of the nearest vectors a search by graph finds, and how fast',
    load: async () => (await import('./recall.ts')).recall,
  },
  {
    name: 'inspect',
    description: 'Show what a data folder holds; with --verify, check every byte of it',
    load: async () => (await import('./inspect.ts')).inspect,
  },
]
