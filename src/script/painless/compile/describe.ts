import type { Expression } from '../ast.ts'

const OPERATIONS: Readonly<Record<string, string>> = {
  '+': 'addition operation [+]',
  '-': 'subtraction operation [-]',
  '*': 'multiplication operation [*]',
  '/': 'division operation [/]',
  '%': 'remainder operation [%]',
  '<<': 'left shift operation [<<]',
  '>>': 'right shift operation [>>]',
  '>>>': 'unsigned right shift operation [>>>]',
  '&': 'bitwise and operation [&]',
  '^': 'bitwise xor operation [^]',
  '|': 'bitwise or operation [|]',
  '=~': 'find operation [=~]',
  '==~': 'match operation [==~]',
  '<': 'less than operation [<]',
  '<=': 'less than or equals operation [<=]',
  '>': 'greater than operation [>]',
  '>=': 'greater than or equals operation [>=]',
  '==': 'equals operation [==]',
  '!=': 'not equals operation [!=]',
  '===': 'identity equals operation [===]',
  '!==': 'identity not equals operation [!==]',
  '&&': 'boolean and operation [&&]',
  '||': 'boolean or operation [||]',
}

const UNARY_OPERATIONS: Readonly<Record<string, string>> = {
  '!': 'boolean not operation [!]',
  '~': 'bitwise not operation [~]',
  '+': 'identity operation [+]',
  '-': 'negation operation [-]',
}

/** An expression as errors name it. */
export function describe(node: Expression): string {
  switch (node.kind) {
    case 'null':
      return 'null constant'
    case 'boolean':
      return `boolean constant [${node.value}]`
    case 'number':
      return `numeric constant [${node.isNegative ? '-' : ''}${node.text}]`
    case 'string':
      return `string constant [${node.value}]`
    case 'regex':
      return `regex constant [${node.pattern}] with flags [${node.flags}]`
    case 'list':
      return 'list initializer'
    case 'map':
      return 'map initializer'
    case 'name':
      return `symbol [${node.name}]`
    case 'dot':
      return 'dot operation [.]'
    case 'index':
      return 'brace operation [[]]'
    case 'method':
      return `method call [${node.name}/${node.inputs.length}]`
    case 'call':
      return `function call [${node.name}/${node.inputs.length}]`
    case 'new':
      return `new object with constructor [${node.type.text}/${node.inputs.length}]`
    case 'newArray':
    case 'arrayOf':
      return 'new array'
    case 'unary':
      return UNARY_OPERATIONS[node.sign]!
    case 'cast':
      return `explicit cast with target type [${node.type.text}]`
    case 'binary':
      return OPERATIONS[node.sign]!
    case 'instanceof':
      return `instanceof with target type [${node.type.text}]`
    case 'conditional':
      return 'conditional operation [?:]'
    case 'elvis':
      return 'elvis operation [?:]'
    case 'assignment':
      return 'assignment'
    case 'increment':
      return `${node.isPrefix ? 'prefix' : 'postfix'} operation [${node.sign}${node.sign}]`
    case 'lambda':
      return 'lambda'
    case 'reference':
      return `function reference [${node.target.text}:${node.method}]`
  }
}
