/** The node's scripts: resolved, checked against settings, compiled once and kept by context. */

import type { tokenScript } from '../../analysis/run-token-script.ts'
import type { TokenScript, TokenScriptRequest, TokenScripts } from '../../analysis/token-script.ts'
import type { PipelineScripts } from '../../pipeline/pipeline-messages.ts'
import { clusterSettings, nodeSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { CompilersNotLoadedError } from '../../script/compilers-not-loaded.ts'
import type { ScriptContext } from '../../script/context/script-context.ts'
import { SCRIPT_CONTEXTS } from '../../script/context/script-contexts.ts'
import type { Expression, readExpression } from '../../script/expression/compile-expression.ts'
import { type CompiledTemplate, compileTemplate } from '../../script/mustache/render-template.ts'
import type { compileInContext } from '../../script/painless/compile-in-context.ts'
import type { PainlessScript } from '../../script/painless/compile-painless.ts'
import type { PainlessSettings } from '../../script/painless/painless-settings.ts'
import type { ScriptRequest } from '../../script/script-request.ts'
import { MAX_CALLING_THREAD_MILLIS } from '../../script/script-run.ts'
import { loadScriptEngine } from '../../search/script/script-engine.ts'
import { assert } from '../../util/assert.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonObjectNode } from '../../util/json/json-tree.ts'
import { parseDuration } from '../../util/units.ts'
import type { CheckedScript, StoredScript } from '../api/scripts.ts'
import { CompileCache, type CompileCounts } from './compile-cache.ts'

/** A compiled script by its language. */
export type CompiledScript =
  | { readonly lang: 'mustache'; readonly template: CompiledTemplate }
  | { readonly lang: 'painless'; readonly script: PainlessScript }
  | { readonly lang: 'expression'; readonly expression: Expression }

/** A script with its source, wherever it came from. */
export interface ResolvedScript extends StoredScript {
  readonly params: JsonObjectNode | null
}

/** The compilers of languages that are loaded when they are first needed. */
interface Compilers {
  readonly compileInContext: typeof compileInContext
  readonly tokenScript: typeof tokenScript
  readonly readExpression: typeof readExpression
}

let compilers: Compilers | null = null

function loaded(): Compilers {
  if (compilers === null) throw new CompilersNotLoadedError()
  return compilers
}

type Compile = (
  script: StoredScript,
  context: ScriptContext,
  regex: Pick<PainlessSettings, 'regex' | 'regexLimitFactor'>,
) => CompiledScript

/** Languages, each with what compiles it. */
const COMPILERS: ReadonlyMap<string, Compile> = new Map<string, Compile>([
  [
    'expression',
    ({ source }) => ({ lang: 'expression', expression: loaded().readExpression(source) }),
  ],
  [
    'mustache',
    ({ source, options }) => ({
      lang: 'mustache',
      template: compileTemplate(source, options.get('content_type')),
    }),
  ],
  [
    'painless',
    ({ source }, context, regex) => ({
      lang: 'painless',
      script: loaded().compileInContext(source, context, regex),
    }),
  ],
])

/** Names of the languages, in their order. */
export const SCRIPT_LANGUAGES: readonly string[] = ['expression', 'mustache', 'painless']

const NANOS_PER_MILLI = 1e6

/** Resolves and compiles scripts, and counts it. */
export class Scripts {
  readonly #fixed: Settings
  readonly #settings: () => Settings
  readonly #stored: () => ReadonlyMap<string, StoredScript>
  readonly #onSearch: () => void
  readonly #caches = new Map<string, CompileCache<CompiledScript>>()
  #pipelines: {
    readonly of: ReadonlyMap<string, StoredScript>
    readonly scripts: PipelineScripts
  } | null = null

  /**
   * @param fixed    of the node
   * @param settings of the cluster, as they hold now
   * @param stored   scripts by id, as they are now
   * @param onSearch called when a search has a script, before it starts
   */
  constructor(
    fixed: Settings,
    settings: () => Settings,
    stored: () => ReadonlyMap<string, StoredScript>,
    onSearch: () => void,
  ) {
    this.#fixed = fixed
    this.#settings = settings
    this.#stored = stored
    this.#onSearch = onSearch
  }

  /** Counters of each context's cache, in order of name. */
  counts(): readonly (readonly [context: string, counts: CompileCounts])[] {
    return Array.from(SCRIPT_CONTEXTS.keys(), context => [context, this.#cache(context).counts])
  }

  /** Loads the compilers; `compile` throws a `CompilersNotLoadedError` until it has resolved. */
  async load(): Promise<void> {
    const [{ compileInContext }, { readExpression }, { tokenScript }] = await Promise.all([
      import('../../script/painless/compile-in-context.ts'),
      import('../../script/expression/compile-expression.ts'),
      import('../../analysis/run-token-script.ts'),
      loadScriptEngine(),
    ])
    compilers = { compileInContext, readExpression, tokenScript }
  }

  /** Runs a step that may compile scripts; it begins anew with the compilers where they were not loaded. */
  async whenLoaded<T>(step: () => Promise<T> | T): Promise<T> {
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof CompilersNotLoadedError)) throw error
    }
    await this.load()
    return await step()
  }

  /**
   * The script that a request names.
   * @throws {EngineError} `resource_not_found_exception`: it is not stored; `illegal_argument_exception`:
   *   settings forbid it, it is too long
   */
  resolve({ source, id, lang, params, options }: ScriptRequest, context: string): ResolvedScript {
    const stored = id === null ? null : this.#storedScript(id)
    const type = stored === null ? 'inline' : 'stored'
    const script = stored ?? { source: source!, lang: lang!, options }
    this.#checkLanguage(script.lang)
    if (!allows(nodeSettings.list(this.#fixed, 'script.allowed_types'), type))
      throw new IllegalArgumentError(`cannot execute [${type}] scripts`)
    if (!allows(nodeSettings.list(this.#fixed, 'script.allowed_contexts'), context))
      throw new IllegalArgumentError(`cannot execute scripts using [${context}] context`)
    if (stored === null) this.#checkSize(script.source)
    return { ...script, params }
  }

  /**
   * The compiled form of a script.
   * @throws {EngineError} `script_exception`: it does not compile; `general_script_exception`: its language
   *   does not serve the context, or too many were compiled
   */
  compile(script: ResolvedScript, contextName: string): CompiledScript {
    const context = SCRIPT_CONTEXTS.get(contextName)!
    const { lang, source, options } = script
    const compile = COMPILERS.get(lang)
    if (compile === undefined || !(context.languages as readonly string[]).includes(lang))
      throw new EngineError({
        type: 'general_script_exception',
        reason: `Failed to compile inline script [${source}] using lang [${lang}]`,
        status: 400,
        causedBy: {
          type: 'illegal_argument_exception',
          reason: `${lang} engine does not know how to handle script context [${contextName}]`,
        },
      })
    if (lang !== 'mustache') loaded()
    const key = JSON.stringify([lang, source, ...options])
    const limits = this.#limits(context)
    return this.#cache(contextName).get(key, limits, performance.now(), () =>
      compile(script, context, this.regex),
    )
  }

  /**
   * A script that search threads will run.
   * @throws {EngineError} as `resolve` and `compile` do
   */
  forSearch(request: ScriptRequest, context: string): CheckedScript {
    const { lang, source, params, options } = this.resolve(request, context)
    const compiled = this.compile({ lang, source, params, options }, context)
    this.#onSearch()
    return {
      lang: compiled.lang === 'expression' ? 'expression' : 'painless',
      source,
      id: request.id,
      params,
      regex: this.regex,
      uses: compiled.lang === 'painless' ? compiled.script.uses : null,
    }
  }

  /** Scripts of analysis that requests bring. */
  get analysis(): TokenScripts {
    const compile = (request: TokenScriptRequest): TokenScript => {
      const asked = { ...request, id: null, params: null, options: new Map<string, string>() }
      const compiled = this.compile(this.resolve(asked, 'analysis'), 'analysis')
      assert(compiled.lang === 'painless', 'the context serves painless alone')
      return loaded().tokenScript(compiled.script, MAX_CALLING_THREAD_MILLIS)
    }
    return { settings: this.regex, compile }
  }

  /**
   * Scripts of the analysis of indices that are there: compiled when they first run, so that one which
   * settings refuse by now does not keep the node from opening.
   */
  get storedAnalysis(): TokenScripts {
    const { regex } = this
    const context = SCRIPT_CONTEXTS.get('analysis')!
    return {
      settings: regex,
      compile: ({ source }) => {
        let script: TokenScript | null = null
        return {
          open(token) {
            const { compileInContext, tokenScript } = loaded()
            script ??= tokenScript(
              compileInContext(source, context, regex),
              MAX_CALLING_THREAD_MILLIS,
            )
            return script.open(token)
          },
        }
      },
    }
  }

  /** Whether scripts of painless may hold regular expressions, and how far these may look. */
  get regex(): Pick<PainlessSettings, 'regex' | 'regexLimitFactor'> {
    const value = nodeSettings.text(this.#fixed, 'script.painless.regex.enabled')
    return {
      regex: value === 'true' || value === 'false' ? value : 'limited',
      regexLimitFactor: nodeSettings.number(this.#fixed, 'script.painless.regex.limit-factor') ?? 6,
    }
  }

  /** Stored scripts and settings for the thread of pipelines; the same object until a stored script changes. */
  forPipelines(): PipelineScripts {
    const stored = this.#stored()
    if (this.#pipelines === null || this.#pipelines.of !== stored) {
      const sources = [...stored].filter(([, { lang }]) => lang === 'painless')
      this.#pipelines = {
        of: stored,
        scripts: {
          stored: new Map(sources.map(([id, { source }]) => [id, source])),
          regex: this.regex,
        },
      }
    }
    return this.#pipelines.scripts
  }

  /**
   * Refuses a source that is longer than settings allow.
   * @throws {IllegalArgumentError}
   */
  #checkSize(source: string): void {
    const max = clusterSettings.number(this.#settings(), 'script.max_size_in_bytes') ?? 65_535
    const size = Buffer.byteLength(source)
    if (size > max)
      throw new IllegalArgumentError(
        `exceeded max allowed inline script size in bytes [${max}] with size [${size}] for script [${source}]`,
      )
  }

  /**
   * Checks a script that is to be stored.
   * @throws {IllegalArgumentError}
   */
  checkStored(id: string, { lang, source }: StoredScript): void {
    if (!SCRIPT_LANGUAGES.includes(lang))
      throw new IllegalArgumentError(`unable to put stored script with unsupported lang [${lang}]`)
    const max = clusterSettings.number(this.#settings(), 'script.max_size_in_bytes') ?? 65_535
    const size = Buffer.byteLength(source)
    if (size > max)
      throw new IllegalArgumentError(
        `exceeded max allowed stored script size in bytes [${max}] with size [${size}] for script [${id}]`,
      )
  }

  #storedScript(id: string): StoredScript {
    const stored = this.#stored().get(id)
    if (stored !== undefined) return stored
    throw new EngineError({
      type: 'resource_not_found_exception',
      reason: `unable to find script [${id}] in cluster state`,
    })
  }

  #checkLanguage(lang: string): void {
    if (!SCRIPT_LANGUAGES.includes(lang))
      throw new IllegalArgumentError(`script_lang not supported [${lang}]`)
  }

  #cache(context: string): CompileCache<CompiledScript> {
    const known = this.#caches.get(context)
    if (known !== undefined) return known
    const cache = new CompileCache<CompiledScript>()
    this.#caches.set(context, cache)
    return cache
  }

  /** Limits of a context's cache: one rate for all contexts wins over their own. */
  #limits({ name, cache }: ScriptContext): Parameters<CompileCache<CompiledScript>['get']>[1] {
    const settings = this.#settings()
    const own = (setting: string): string | null => {
      const value = settings.get(`script.context.${name}.${setting}`)
      return typeof value === 'string' ? value : null
    }
    const general = clusterSettings.text(settings, 'script.max_compilations_rate')
    const isGeneral = general !== 'use-context'
    const rateText = isGeneral
      ? general
      : (own('max_compilations_rate') ?? cache.maxCompilationsRate)
    const isUnlimited =
      rateText === 'unlimited' ||
      nodeSettings.boolean(this.#fixed, 'script.disable_max_compilations_rate')
    const expire = isGeneral
      ? clusterSettings.nanos(settings, 'script.cache.expire')
      : parseDuration(own('cache_expire') ?? '0', 'cache_expire')
    return {
      maxSize: isGeneral
        ? (clusterSettings.number(settings, 'script.cache.max_size') ?? 100)
        : Number(own('cache_max_size') ?? cache.maxSize),
      expireMillis: (expire ?? 0) / NANOS_PER_MILLI,
      rate: isUnlimited ? null : rateOf(rateText),
      rateText,
      setting: isGeneral
        ? 'script.max_compilations_rate'
        : `script.context.${name}.max_compilations_rate`,
    }
  }
}

/** A list that allows what it names, all where it names nothing, nothing where it says `none`. */
function allows(allowed: readonly string[], name: string): boolean {
  return allowed.length === 0 || (allowed.includes(name) && !allowed.includes('none'))
}

function rateOf(text: string): { readonly count: number; readonly millis: number } {
  const [count = '', time = ''] = text.split('/')
  return { count: Number(count), millis: parseDuration(time, 'rate') / NANOS_PER_MILLI }
}
