/**
 * Random scripts that are painless and Java alike: int, long, double, boolean and String, lists and maps,
 * control flow, functions and exceptions. What the two languages do differently is left out: `==` of
 * objects, characters, casts of boxed numbers to another kind, constants as conditions, orders of hashes.
 */
import { Random } from '../../../src/util/random.ts'

/** The seed of the recorded scripts. */
export const SCRIPT_SEED = 18

/** How many there are. */
export const SCRIPT_COUNT = 2000

/** A script: functions, and the statements behind them, which return a value. */
export interface JavaScript {
  readonly functions: readonly string[]
  readonly body: string
}

/** The scripts of a seed; each has a seed of its own. */
export function javaScripts(seed: number, count: number): JavaScript[] {
  return Array.from({ length: count }, (_, i) =>
    new ScriptMaker(new Random(seed * 100_003 + i)).make(),
  )
}

/** The source in painless. */
export function painlessSource({ functions, body }: JavaScript): string {
  return [...functions, body].join('\n')
}

type Type = 'boolean' | 'double' | 'int' | 'long' | 'String'

/** A collection of values of one type. */
interface Collection {
  readonly name: string
  readonly of: 'int' | 'long' | 'String'
}

interface Scope {
  readonly variables: { readonly name: string; readonly type: Type }[]
  readonly lists: Collection[]
  readonly maps: Collection[]
}

const TYPES: readonly Type[] = ['boolean', 'double', 'int', 'long', 'String']
const INTS = [
  '0',
  '1',
  '2',
  '3',
  '7',
  '10',
  '31',
  '255',
  '65536',
  '2147483647',
  'Integer.MIN_VALUE',
]
const LONGS = [
  '0L',
  '1L',
  '5L',
  '63L',
  '1000003L',
  '4294967296L',
  '9007199254740993L',
  'Long.MAX_VALUE',
  'Long.MIN_VALUE',
]
const DOUBLES = ['0.0', '1.0', '0.5', '2.25', '1.0E10', '3.0E-5', '123456.75', '1.0E300']
const TEXTS = [
  '""',
  '"a"',
  '"b"',
  '"abc"',
  '" x "',
  '"12"',
  '"-7"',
  '"Ab Cd"',
  '"ß"',
  '"9999999999"',
]
const KEYS = ['"a"', '"b"', '"c"', '"d"']
const EXCEPTIONS = [
  'ArithmeticException',
  'IndexOutOfBoundsException',
  'IllegalArgumentException',
  'RuntimeException',
  'Exception',
]
const MAX_DEPTH = 3

class ScriptMaker {
  readonly #random: Random
  readonly #functions: string[] = []
  readonly #known: { readonly name: string; readonly of: Type; readonly takes: Type }[] = []
  #names = 0

  constructor(random: Random) {
    this.#random = random
  }

  make(): JavaScript {
    for (let n = this.#below(3); n > 0; n--) this.#function()
    const scope: Scope = { variables: [], lists: [], maps: [] }
    const lines = this.#declarations(scope)
    for (let n = 2 + this.#below(5); n > 0; n--) lines.push(this.#statement(scope, 2, false))
    lines.push(`return ${this.#result(scope)};`)
    return { functions: this.#functions, body: lines.join('\n') }
  }

  #function(): void {
    const name = this.#name('f')
    const [takes, of] = [this.#type(), this.#type()]
    const scope: Scope = { variables: [{ name: 'p', type: takes }], lists: [], maps: [] }
    const body = [
      this.#declare(scope, 'int'),
      this.#statement(scope, 1, false),
      `return ${this.#value(scope, of, 2)};`,
    ]
    this.#functions.push(`${of} ${name}(${takes} p) { ${body.join(' ')} }`)
    this.#known.push({ name, of, takes })
  }

  /** A variable of each type, and some lists and maps. */
  #declarations(scope: Scope): string[] {
    const lines = TYPES.map(type => this.#declare(scope, type))
    lines.push(this.#declare(scope, 'int'), this.#declare(scope, this.#type()))
    if (this.#chance(2)) lines.push(this.#declareList(scope))
    if (this.#chance(2)) lines.push(this.#declareMap(scope))
    return lines
  }

  #declare(scope: Scope, type: Type): string {
    const value = this.#value(scope, type, 1)
    const name = this.#name('v')
    scope.variables.push({ name, type })
    return `${type} ${name} = ${value};`
  }

  #declareList(scope: Scope): string {
    const of = this.#pick(['int', 'long', 'String'] as const)
    const list = { name: this.#name('l'), of }
    const adds = Array.from(
      { length: this.#below(5) },
      () => `${list.name}.add(${this.#value(scope, of, 1)});`,
    )
    scope.lists.push(list)
    return [`List ${list.name} = new ArrayList();`, ...adds].join(' ')
  }

  #declareMap(scope: Scope): string {
    const of = this.#pick(['int', 'long', 'String'] as const)
    const map = { name: this.#name('m'), of }
    const puts = Array.from(
      { length: this.#below(4) },
      () => `${map.name}.put(${this.#pick(KEYS)}, ${this.#value(scope, of, 1)});`,
    )
    scope.maps.push(map)
    const kind = this.#pick(['TreeMap', 'LinkedHashMap'])
    return [`Map ${map.name} = new ${kind}();`, ...puts].join(' ')
  }

  #statement(scope: Scope, depth: number, isInLoop: boolean): string {
    const pick = this.#below(depth > 0 ? 16 : 8)
    if (pick < 4) return this.#assignment(scope)
    if (pick === 4) return this.#compound(scope)
    if (pick < 7) return this.#change(scope)
    if (pick === 7) return `if (${this.#condition(scope)}) { ${this.#assignment(scope)} }`
    if (pick < 10)
      return `if (${this.#condition(scope)}) { ${this.#block(scope, depth, isInLoop)} } else { ${this.#block(scope, depth, isInLoop)} }`
    if (pick < 13) return this.#loop(scope, depth)
    if (pick === 13)
      return `try { ${this.#block(scope, depth, false)} } catch (${this.#pick(EXCEPTIONS)} ${this.#name('e')}) { ${this.#assignment(scope)} }`
    if (pick === 14 && scope.lists.length > 0) return this.#iteration(scope)
    const thrown = `throw new IllegalArgumentException(${this.#value(scope, 'String', 1)});`
    if (pick === 15 && this.#chance(4)) return `if (${this.#condition(scope)}) { ${thrown} }`
    if (!isInLoop) return this.#assignment(scope)
    return `if (${this.#condition(scope)}) { ${this.#pick(['break', 'continue'])}; }`
  }

  /** Statements with a scope of their own. */
  #block(scope: Scope, depth: number, isInLoop: boolean): string {
    const inner: Scope = {
      variables: [...scope.variables],
      lists: [...scope.lists],
      maps: [...scope.maps],
    }
    const lines = this.#chance(3) ? [this.#declare(inner, this.#type())] : []
    for (let n = 1 + this.#below(2); n > 0; n--)
      lines.push(this.#statement(inner, depth - 1, isInLoop))
    return lines.join(' ')
  }

  /** A loop of a few rounds; its counter is read, not written. */
  #loop(scope: Scope, depth: number): string {
    const name = this.#name('i')
    const inner: Scope = { ...scope, variables: [...scope.variables] }
    const rounds = 1 + this.#below(6)
    const body = this.#block(inner, depth, true)
    const pick = this.#below(3)
    if (pick === 0) return `for (int ${name} = 0; ${name} < ${rounds}; ${name}++) { ${body} }`
    if (pick === 1) return `int ${name} = ${rounds}; while (${name} > 0) { ${name}--; ${body} }`
    return `int ${name} = 0; do { ${name} += 1; ${body} } while (${name} < ${rounds});`
  }

  #iteration(scope: Scope): string {
    const { name } = this.#pick(scope.lists)
    const text = this.#variable(scope, 'String')
    const each = this.#name('o')
    return `for (Object ${each} : ${name}) { ${text} += ${each}; if (${text}.length() > 99) { ${text} = ""; } }`
  }

  #assignment(scope: Scope): string {
    const { name, type } = this.#pick(scope.variables)
    const value = this.#value(scope, type, MAX_DEPTH)
    // Else texts double from round to round.
    if (type !== 'String') return `${name} = ${value};`
    return `${name} = ${value}; if (${name}.length() > 60) { ${name} = ${name}.substring(0, 9); }`
  }

  #compound(scope: Scope): string {
    const { name, type } = this.#pick(scope.variables.filter(each => each.type !== 'boolean'))
    if (type === 'String')
      return `if (${name}.length() < 60) { ${name} += ${this.#value(scope, this.#type(), 1)}; }`
    if (type === 'double')
      return `${name} ${this.#pick(['+=', '-=', '*=', '/='])} ${this.#value(scope, this.#number(), 2)};`
    const pick = this.#below(6)
    if (pick === 0) return `${name}${this.#pick(['++', '--'])};`
    if (pick === 1)
      return `${name} ${this.#pick(['<<=', '>>=', '>>>='])} ${this.#value(scope, 'int', 1)};`
    if (pick === 2)
      return `${name} ${this.#pick(['&=', '|=', '^='])} ${this.#value(scope, type, 2)};`
    return `${name} ${this.#pick(['+=', '-=', '*='])} ${this.#value(scope, pick === 3 ? this.#number() : type, 2)};`
  }

  /** A change of a list or map. */
  #change(scope: Scope): string {
    const collections = [...scope.lists, ...scope.maps]
    if (collections.length === 0) return this.#assignment(scope)
    const { name, of } = this.#pick(collections)
    const value = this.#value(scope, of, 2)
    if (scope.maps.some(map => map.name === name)) {
      const key = this.#pick(KEYS)
      return this.#pick([
        `${name}.put(${key}, ${value});`,
        `${name}.putIfAbsent(${key}, ${value});`,
        `${name}.remove(${key});`,
      ])
    }
    const index = this.#index(scope)
    return this.#pick([
      `if (${name}.size() < 20) { ${name}.add(${value}); }`,
      `if (${name}.size() > 1) { ${name}.set(${index}, ${value}); }`,
      `if (${name}.size() > 1) { ${name}.remove(${index}); }`,
      `if (${name}.size() < 20) { ${name}.add(0, ${value}); }`,
    ])
  }

  /** A condition that is no constant. */
  #condition(scope: Scope): string {
    const type = this.#number()
    const left = this.#variable(scope, type)
    if (this.#chance(4))
      return this.#pick([this.#variable(scope, 'boolean'), `!${this.#variable(scope, 'boolean')}`])
    const compared = `${left} ${this.#pick(['<', '<=', '>', '>=', '==', '!='])} ${this.#value(scope, type, 1)}`
    if (this.#chance(3))
      return `${compared} ${this.#pick(['&&', '||'])} ${this.#variable(scope, 'boolean')}`
    return compared
  }

  #value(scope: Scope, type: Type, depth: number): string {
    const isLeaf = depth <= 0 || this.#chance(4)
    const own = scope.variables.some(each => each.type === type)
    if (isLeaf) return own && this.#below(3) > 0 ? this.#variable(scope, type) : this.#literal(type)
    const [fn] = this.#known.filter(each => each.of === type)
    if (fn !== undefined && this.#chance(6))
      return `${fn.name}(${this.#value(scope, fn.takes, depth - 2)})`
    if (own && this.#chance(8))
      return `(${this.#condition(scope)} ? ${this.#value(scope, type, depth - 1)} : ${this.#value(scope, type, depth - 1)})`
    switch (type) {
      case 'boolean':
        return this.#boolean(scope, depth)
      case 'double':
        return this.#double(scope, depth)
      case 'int':
        return this.#int(scope, depth)
      case 'long':
        return this.#long(scope, depth)
      case 'String':
        return this.#text(scope, depth)
    }
  }

  #boolean(scope: Scope, depth: number): string {
    const of = (type: Type): string => this.#value(scope, type, depth - 1)
    const numbers = this.#number()
    const text = this.#textReceiver(scope)
    return this.#pick([
      () => `(${of(numbers)} ${this.#pick(['<', '<=', '>', '>=', '==', '!='])} ${of(numbers)})`,
      () => `(${of('boolean')} ${this.#pick(['&&', '||', '&', '|', '^'])} ${of('boolean')})`,
      () => `!(${of('boolean')})`,
      () =>
        `${text}.${this.#pick(['equals', 'contains', 'startsWith', 'endsWith', 'equalsIgnoreCase'])}(${of('String')})`,
      () => `${text}.isEmpty()`,
      () => `(${of('int')} > ${of('double')})`,
    ])()
  }

  #double(scope: Scope, depth: number): string {
    const of = (type: Type): string => this.#value(scope, type, depth - 1)
    return this.#pick([
      () => `(${of('double')} ${this.#pick(['+', '-', '*', '/', '%'])} ${of(this.#number())})`,
      () => `(${of(this.#number())} ${this.#pick(['+', '-', '*', '/'])} ${of('double')})`,
      () => `-(${of('double')})`,
      () => `Math.${this.#pick(['abs', 'sqrt', 'floor', 'ceil'])}(${of('double')})`,
      () => `Math.${this.#pick(['max', 'min'])}(${of('double')}, ${of('double')})`,
      () => `(double) (${of(this.#pick(['int', 'long'] as const))})`,
    ])()
  }

  #int(scope: Scope, depth: number): string {
    const of = (type: Type): string => this.#value(scope, type, depth - 1)
    const list = scope.lists.find(each => each.of === 'int')
    const map = scope.maps.find(each => each.of === 'int')
    const text = this.#textReceiver(scope)
    const makers = [
      () => `(${of('int')} ${this.#pick(['+', '-', '*', '&', '|', '^'])} ${of('int')})`,
      () =>
        `(${this.#variable(scope, 'int')} ${this.#pick(['/', '%'])} ${this.#divisor(scope, 'int')})`,
      () => `(${of('int')} ${this.#pick(['<<', '>>', '>>>'])} ${of('int')})`,
      () => this.#pick([`-(${of('int')})`, `~(${of('int')})`]),
      () => `(int) (${of(this.#pick(['long', 'double'] as const))})`,
      () => `Integer.${this.#pick(['parseInt', 'valueOf'])}(${this.#digits(scope, 'int', depth)})`,
      () => `Integer.${this.#pick(['compare', 'max', 'sum'])}(${of('int')}, ${of('int')})`,
      () =>
        `Integer.${this.#pick(['bitCount', 'reverse', 'signum', 'numberOfLeadingZeros'])}(${of('int')})`,
      () => `Long.compare(${of('long')}, ${of('long')})`,
      () => `Double.compare(${of('double')}, ${of('double')})`,
      () => `${text}.length()`,
      () => `${text}.${this.#pick(['indexOf', 'lastIndexOf', 'compareTo'])}(${of('String')})`,
      () => `${text}.hashCode()`,
      () => `(${text}.length() > 1 ? (int) ${text}.charAt(${this.#index(scope)}) : ${of('int')})`,
    ]
    if (list !== undefined)
      makers.push(
        () =>
          `(${list.name}.size() > 1 ? (int) ${list.name}.get(${this.#index(scope)}) : ${of('int')})`,
        () => `${list.name}.size()`,
        () => `${list.name}.indexOf(${of('int')})`,
        () => `${list.name}.hashCode()`,
      )
    if (map !== undefined)
      makers.push(
        () => `(int) ${map.name}.getOrDefault(${this.#pick(KEYS)}, ${of('int')})`,
        () => `${map.name}.size()`,
      )
    return this.#pick(makers)()
  }

  #long(scope: Scope, depth: number): string {
    const of = (type: Type): string => this.#value(scope, type, depth - 1)
    const list = scope.lists.find(each => each.of === 'long')
    const makers = [
      () =>
        `(${of('long')} ${this.#pick(['+', '-', '*', '&', '|', '^'])} ${of(this.#pick(['int', 'long'] as const))})`,
      () => `(${of('int')} ${this.#pick(['+', '-', '*'])} ${of('long')})`,
      () =>
        `(${this.#variable(scope, 'long')} ${this.#pick(['/', '%'])} ${this.#divisor(scope, 'long')})`,
      () => `(${of('long')} ${this.#pick(['<<', '>>', '>>>'])} ${of('int')})`,
      () => this.#pick([`-(${of('long')})`, `~(${of('long')})`]),
      () => `(long) (${of(this.#pick(['int', 'double'] as const))})`,
      () => `Math.round(${of('double')})`,
      () => `Long.parseLong(${this.#digits(scope, 'long', depth)})`,
      () => `Long.${this.#pick(['sum', 'max', 'min'])}(${of('long')}, ${of('long')})`,
    ]
    if (list !== undefined)
      makers.push(
        () =>
          `(${list.name}.size() > 1 ? (long) ${list.name}.get(${this.#index(scope)}) : ${of('long')})`,
        () => `(long) ${list.name}.size()`,
      )
    return this.#pick(makers)()
  }

  #text(scope: Scope, depth: number): string {
    const of = (type: Type): string => this.#value(scope, type, depth - 1)
    const text = this.#textReceiver(scope)
    const strings = scope.lists.find(each => each.of === 'String')
    const makers = [
      () => `(${of('String')} + ${of(this.#type())})`,
      () => `(${of(this.#pick(['boolean', 'int', 'long', 'double'] as const))} + ${of('String')})`,
      () => `${text}.${this.#pick(['trim', 'toLowerCase', 'toUpperCase', 'toString'])}()`,
      () => `(${text}.length() > 1 ? ${text}.substring(${this.#index(scope)}) : ${of('String')})`,
      () =>
        `(${text}.length() > 2 ? ${text}.substring(${this.#index(scope)}, ${2 + this.#below(2)}) : ${of('String')})`,
      () => `${text}.replace(${of('String')}, ${this.#literal('String')})`,
      () => `${text}.concat(${of('String')})`,
      () => `String.valueOf(${of(this.#type())})`,
      () => `Integer.${this.#pick(['toString', 'toHexString', 'toBinaryString'])}(${of('int')})`,
      () => `Long.${this.#pick(['toString', 'toHexString'])}(${of('long')})`,
      () => `Double.toString(${of('double')})`,
      () =>
        `new StringBuilder().append(${of(this.#type())}).append(${of(this.#type())}).toString()`,
      () => `new StringBuilder(${of('String')}).reverse().toString()`,
    ]
    if (strings !== undefined)
      makers.push(
        () =>
          `(${strings.name}.size() > 1 ? (String) ${strings.name}.get(${this.#index(scope)}) : ${of('String')})`,
      )
    for (const { name } of [...scope.lists, ...scope.maps]) makers.push(() => `${name}.toString()`)
    return this.#pick(makers)()
  }

  /** A place that most lists and texts of two have. */
  #index(scope: Scope): string {
    if (this.#chance(12)) return this.#value(scope, 'int', 1)
    return this.#chance(2) ? this.#pick(['0', '1']) : `(${this.#variable(scope, 'int')} & 1)`
  }

  /** A divisor that is seldom 0. */
  #divisor(scope: Scope, type: 'int' | 'long'): string {
    const name = this.#variable(scope, type)
    return this.#chance(12) ? name : `(${name} | ${this.#pick(['1', '2', '64'])})`
  }

  /** A text that mostly is a number. */
  #digits(scope: Scope, type: 'int' | 'long', depth: number): string {
    if (this.#chance(12)) return this.#value(scope, 'String', 1)
    return `String.valueOf(${this.#value(scope, type, depth - 1)})`
  }

  /** All that the script has made, or one value of it. */
  #result(scope: Scope): string {
    const pick = this.#below(4)
    if (pick < 2) return this.#value(scope, this.#type(), 2)
    const names = [...scope.variables, ...scope.lists, ...scope.maps].map(({ name }) => name)
    return names.join(' + "|" + ').replace(/^/, '"" + ')
  }

  /** A text that may have members; a literal has none in every position. */
  #textReceiver(scope: Scope): string {
    return this.#variable(scope, 'String')
  }

  /** The name of a variable of the type, or a literal where the scope has none. */
  #variable(scope: Scope, type: Type): string {
    const fitting = scope.variables.filter(each => each.type === type)
    if (fitting.length > 0) return this.#pick(fitting).name
    return type === 'String'
      ? 'String.valueOf(7)'
      : `${WRAPPERS[type]}.valueOf(${this.#literal(type)})`
  }

  #literal(type: Type): string {
    switch (type) {
      case 'boolean':
        return this.#pick(['true', 'false'])
      case 'double':
        return this.#pick(DOUBLES)
      case 'int':
        return this.#pick(INTS)
      case 'long':
        return this.#pick(LONGS)
      case 'String':
        return this.#pick(TEXTS)
    }
  }

  #type(): Type {
    return this.#pick(TYPES)
  }

  #number(): 'double' | 'int' | 'long' {
    return this.#pick(['double', 'int', 'long'] as const)
  }

  #name(prefix: string): string {
    return `${prefix}${this.#names++}`
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)]!
  }

  #below(end: number): number {
    return this.#random.below(end)
  }

  #chance(of: number): boolean {
    return this.#random.below(of) === 0
  }
}

const WRAPPERS = { boolean: 'Boolean', double: 'Double', int: 'Integer', long: 'Long' } as const
