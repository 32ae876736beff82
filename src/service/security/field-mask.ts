/** Masks of fields: expressions of roles, as `field`, `field::algorithm` or `field::/pattern/::replacement…`. */
import { nodeSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import type { Mask } from '../../task/access.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { parsePattern } from '../../util/pattern/pattern-parser.ts'
import { type TextMask, textMasker } from '../../util/text-mask.ts'
import { namesAround } from './field-rule.ts'
import { RolePattern } from './role-pattern.ts'

/** The salt by which all nodes of a cluster mask alike. */
const SALT = 'plugins.security.compliance.salt'
const SALT_BYTES = 16
/** The algorithm of expressions that name none. */
const ALGORITHM = 'plugins.security.masked_fields.algorithm.default'
/** The default with the salt as what an older server took it for. */
const LEGACY = 'BLAKE2B_LEGACY_DEFAULT'

/** Java's names of digests, in lower case, with those of `node:crypto`. */
const DIGESTS: Readonly<Record<string, string>> = {
  md5: 'md5',
  'sha-1': 'sha1',
  sha: 'sha1',
  sha1: 'sha1',
  'sha-224': 'sha224',
  'sha-256': 'sha256',
  'sha-384': 'sha384',
  'sha-512': 'sha512',
  'sha-512/224': 'sha512-224',
  'sha-512/256': 'sha512-256',
  'sha3-224': 'sha3-224',
  'sha3-256': 'sha3-256',
  'sha3-384': 'sha3-384',
  'sha3-512': 'sha3-512',
}

/** Multi-fields of this name are named by their field. */
const MULTI_FIELD = '.keyword'

/** Paths whose masks are kept. */
const MOST_KEPT = 10_000

/** The settings of a node that masks depend on. */
export interface MaskSettings {
  /** Null: none is configured. */
  readonly salt: Uint8Array | null
  /** Empty: the default hash. */
  readonly algorithm: string
}

/**
 * Reads the settings of masks.
 * @throws {IllegalArgumentError} a salt that is too short, an algorithm that there is not
 */
export function maskSettings(settings: Settings): MaskSettings {
  const text = nodeSettings.text(settings, SALT)
  const salt = text === '' ? null : encodeUtf8(text)
  if (salt !== null && salt.length < SALT_BYTES)
    throw new IllegalArgumentError(`[${SALT}] must at least contain ${SALT_BYTES} bytes`)
  const algorithm = nodeSettings.text(settings, ALGORITHM)
  if (algorithm !== '' && algorithm.toUpperCase() !== LEGACY) digestOf(algorithm)
  return { salt: salt?.subarray(0, SALT_BYTES) ?? null, algorithm }
}

/** The masks that expressions of one or more roles put on fields; the first that names a field holds. */
export class MaskRule {
  /** Rules of one key mask alike. */
  readonly key: string
  readonly #masks: readonly { readonly pattern: RolePattern; readonly mask: Mask }[]
  readonly #known = new Map<string, Mask | null>()

  /** @throws {IllegalArgumentError} an expression that cannot be read; a hash without a salt */
  constructor(expressions: readonly string[], settings: MaskSettings) {
    this.key = JSON.stringify(expressions)
    this.#masks = expressions.map(expression => readMask(expression, settings))
  }

  /** The mask of a field; what stands in a field or an object that is masked is masked too. */
  maskOf(path: string): Mask | null {
    let mask = this.#known.get(path)
    if (mask === undefined) {
      mask = this.#find(path)
      if (this.#known.size >= MOST_KEPT) this.#known.clear()
      this.#known.set(path, mask)
    }
    return mask
  }

  #find(path: string): Mask | null {
    const field = path.endsWith(MULTI_FIELD) ? [path.slice(0, -MULTI_FIELD.length)] : []
    const names = [...namesAround(path), ...field]
    const found = this.#masks.find(({ pattern }) => names.some(name => pattern.matches(name)))
    return found?.mask ?? null
  }
}

function readMask(
  expression: string,
  settings: MaskSettings,
): { readonly pattern: RolePattern; readonly mask: Mask } {
  const [field = '', ...parts] = expression.split('::')
  const pattern = new RolePattern(field, name => `\${${name}}`)
  const plan = maskFor(parts, settings)
  return { pattern, mask: { plan, apply: textMasker(plan) } }
}

function maskFor(parts: readonly string[], settings: MaskSettings): TextMask {
  const [algorithm] = parts
  if (algorithm === undefined) return defaultMask(settings)
  if (parts.length === 1) return digestMask(algorithm)
  if (parts.length % 2 === 1)
    throw new IllegalArgumentError(
      "A field masking expression must have the form 'field_name', 'field_name::algorithm', " +
        "'field_name::regex::replacement' or 'field_name::(regex::replacement)+'",
    )
  const steps: { readonly pattern: string; readonly replacement: string }[] = []
  for (let i = 0; i < parts.length; i += 2)
    steps.push({ pattern: checkedPattern(parts[i]!), replacement: parts[i + 1]! })
  return { kind: 'replacements', steps }
}

function defaultMask({ salt, algorithm }: MaskSettings): TextMask {
  const isLegacy = algorithm.toUpperCase() === LEGACY
  if (algorithm !== '' && !isLegacy) return digestMask(algorithm)
  if (salt === null)
    throw new IllegalArgumentError(`masks by the default hash need [${SALT}] to be set`)
  return { kind: 'salted', salt, isPersonal: isLegacy }
}

function digestMask(algorithm: string): TextMask {
  return { kind: 'digest', algorithm: digestOf(algorithm) }
}

/** @throws {IllegalArgumentError} there is no such algorithm */
function digestOf(algorithm: string): string {
  const name = algorithm.toLowerCase()
  if (Object.hasOwn(DIGESTS, name)) return DIGESTS[name]!
  throw new IllegalArgumentError(`Invalid algorithm ${algorithm}`)
}

/** A pattern between slashes, which runs in linear time. */
function checkedPattern(pattern: string): string {
  if (pattern.length < 2 || !pattern.startsWith('/') || !pattern.endsWith('/'))
    throw new IllegalArgumentError('A regular expression needs to be wrapped in /.../')
  const text = pattern.slice(1, -1)
  if (parsePattern(text, '').needsBacktracking)
    throw new IllegalArgumentError(
      `regular expressions of masks may not look around or back: [${text}]`,
    )
  return text
}
