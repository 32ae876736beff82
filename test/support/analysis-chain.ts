/** Chains of our components by type, as settings would make them. */
import { bindFilters, Chain } from '../../src/analysis/analyzer/chain.ts'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'

/** A component: its type, or its type and options. */
export type ComponentSpec =
  | string
  | ({ readonly type: string } & Readonly<Record<string, string | readonly string[]>>)

/** What a chain is made of. */
export interface ChainSpec {
  readonly charFilters?: readonly ComponentSpec[]
  readonly tokenizer: ComponentSpec
  readonly filters?: readonly ComponentSpec[]
  /** Files that options name. */
  readonly files?: Readonly<Record<string, readonly string[]>>
}

/** Names of the files of a folder. */
export function namesIn(folder: string, files: Readonly<Record<string, unknown>>): string[] {
  const start = `${folder}/`
  return Object.keys(files).flatMap(path =>
    path.startsWith(start) ? [path.slice(start.length)] : [],
  )
}

/** A chain for one thread. */
export function makeChain(spec: ChainSpec): Chain {
  const registry = new AnalysisRegistry(new Map(), (path, kind) => {
    if (kind === 'names') return namesIn(path, spec.files ?? {})
    const lines = spec.files?.[path]
    if (lines === undefined) throw new Error(`the test has no file ${path}`)
    return lines
  })
  const make = <Component>(
    part: ComponentSpec,
    by: (name: string, type: string, options: Options) => Component | null,
  ): Component => {
    const { type, ...options } = typeof part === 'string' ? { type: part } : part
    const made = by.call(registry, type, type, new Map(Object.entries(options)))
    if (made === null) throw new Error(`there is no ${type}`)
    return made
  }
  const charFilters = (spec.charFilters ?? []).map(part => make(part, registry.makeCharFilter))
  const tokenizer = make(spec.tokenizer, registry.makeTokenizer)
  const filters = (spec.filters ?? []).map(part => make(part, registry.makeFilter))
  const before = { charFilters, makeTokenizer: () => tokenizer.make(), filters: [] }
  return new Chain({ charFilters, tokenizer, filters: bindFilters(filters, before) })
}

type Options = ReadonlyMap<string, string | readonly string[]>

/** A chain of an analyzer that settings define. */
export function makeAnalyzerChain(
  type: string,
  options: Readonly<Record<string, string | readonly string[]>> = {},
): Chain {
  const settings = new Map<string, string | readonly string[]>([
    ['index.analysis.analyzer.tested.type', type],
  ])
  for (const [key, value] of Object.entries(options))
    settings.set(`index.analysis.analyzer.tested.${key}`, value)
  return new Chain(new AnalysisRegistry(settings).analyzer('tested')!.parts)
}
