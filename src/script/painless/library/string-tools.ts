/** `StringTokenizer` and `Base64`. */
import { decodeBase64 } from '../../../util/base64.ts'
import { illegalArgument, noSuchElement } from '../../java-faults.ts'
import { chargeList } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { ScriptArray } from '../../value/script-array.ts'
import { ScriptObject, type ScriptValue } from '../../value/script-value.ts'
import { classOf, staticClass } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { constructors, members } from './members.ts'

/** A `java.util.StringTokenizer`. */
class TokenizerValue extends ScriptObject {
  readonly className: string = 'java.util.StringTokenizer'
  readonly #text: string
  readonly #delimiters: string
  readonly #givesDelimiters: boolean
  #offset = 0

  constructor(text: string, delimiters: string, givesDelimiters: boolean) {
    super()
    this.#text = text
    this.#delimiters = delimiters
    this.#givesDelimiters = givesDelimiters
  }

  override text(): string {
    return this.className
  }

  hasNext(): boolean {
    return this.#start() < this.#text.length
  }

  next(): string {
    const start = this.#start()
    if (start >= this.#text.length) throw noSuchElement('there is no further token')
    this.#offset = this.#end(start)
    return this.#text.slice(start, this.#offset)
  }

  /** How many tokens are left. */
  count(run: ScriptRun): number {
    const before = this.#offset
    let count = 0
    while (this.hasNext()) {
      run.step()
      this.next()
      count++
    }
    this.#offset = before
    return count
  }

  /** Offset of the next token. */
  #start(): number {
    let at = this.#offset
    if (this.#givesDelimiters) return at
    while (at < this.#text.length && this.#isDelimiter(at)) at++
    return at
  }

  #end(start: number): number {
    if (this.#isDelimiter(start)) return start + 1
    let at = start
    while (at < this.#text.length && !this.#isDelimiter(at)) at++
    return at
  }

  #isDelimiter(at: number): boolean {
    return this.#delimiters.includes(this.#text.charAt(at))
  }
}

const TOKENIZER: ClassType = {
  ...classOf(
    'StringTokenizer',
    'java.util.StringTokenizer',
    value => value instanceof TokenizerValue,
  ),
  constructors: constructors('StringTokenizer', {
    '(String)': (_run, _, text: string) => new TokenizerValue(text, ' \t\n\r\f', false),
    '(String, String)': (_run, _, text: string, delimiters: string) =>
      new TokenizerValue(text, delimiters, false),
    '(String, String, boolean)': (
      _run,
      _,
      text: string,
      delimiters: string,
      givesDelimiters: boolean,
    ) => new TokenizerValue(text, delimiters, givesDelimiters),
  }),
  methods: members({
    'int countTokens()': (run, tokens: TokenizerValue) => tokens.count(run),
    'boolean hasMoreElements()': (_run, tokens: TokenizerValue) => tokens.hasNext(),
    'boolean hasMoreTokens()': (_run, tokens: TokenizerValue) => tokens.hasNext(),
    'def nextElement()': (_run, tokens: TokenizerValue) => tokens.next(),
    'String nextToken()': (_run, tokens: TokenizerValue) => tokens.next(),
  }),
}

/** A `Base64.Encoder` or `Base64.Decoder`. */
class CodecValue extends ScriptObject {
  readonly className: string
  readonly isUrl: boolean

  constructor(className: string, isUrl: boolean) {
    super()
    this.className = className
    this.isUrl = isUrl
  }

  override text(): string {
    return this.className
  }
}

const ENCODER = 'java.util.Base64$Encoder'
const DECODER = 'java.util.Base64$Decoder'

const isCodec =
  (className: string) =>
  (value: ScriptValue): boolean =>
    value instanceof CodecValue && value.className === className

function encodedText(run: ScriptRun, codec: CodecValue, array: ScriptArray): string {
  const { length } = array.items
  chargeList(run, length, length)
  run.step(length >> 6)
  const bytes = Buffer.from(array.items as number[])
  const text = bytes.toString('base64')
  return codec.isUrl ? text.replaceAll('+', '-').replaceAll('/', '_') : text
}

function decodedBytes(run: ScriptRun, codec: CodecValue, text: string): ScriptArray {
  chargeList(run, text.length, text.length)
  run.step(text.length >> 6)
  const plain = codec.isUrl ? text.replaceAll('-', '+').replaceAll('_', '/') : text
  const bytes = /\s/.test(plain) ? null : decodeBase64(plain.padEnd((plain.length + 3) & ~3, '='))
  if (bytes === null) throw illegalArgument('Input byte array has incorrect ending or character')
  return new ScriptArray(
    'byte',
    Array.from(bytes, byte => (byte << 24) >> 24),
  )
}

/** `StringTokenizer`, `Base64`. */
export const STRING_TOOLS: readonly ClassType[] = [
  TOKENIZER,
  {
    ...staticClass('Base64', 'java.util.Base64'),
    statics: members({
      'Base64.Decoder getDecoder()': () => new CodecValue(DECODER, false),
      'Base64.Decoder getUrlDecoder()': () => new CodecValue(DECODER, true),
      'Base64.Encoder getEncoder()': () => new CodecValue(ENCODER, false),
      'Base64.Encoder getUrlEncoder()': () => new CodecValue(ENCODER, true),
    }),
  },
  {
    ...classOf('Base64.Encoder', ENCODER, isCodec(ENCODER)),
    methods: members({ 'String encodeToString(byte[])': encodedText }),
  },
  {
    ...classOf('Base64.Decoder', DECODER, isCodec(DECODER)),
    methods: members({ 'byte[] decode(String)': decodedBytes }),
  },
]
