/** Calls of the allow-list's members whose class the compiler knows. */
import type { ScriptRun } from '../../script-run.ts'
import type { Member, Typed } from '../library/class-type.ts'
import type { Code, Run } from './code.ts'
import { frozenFault, located } from './frame.ts'

/** A member's function as one that takes anything in the form of its types. */
export type MemberCall = (run: ScriptRun, receiver: Typed, ...inputs: Typed[]) => Typed

/** The function of a member. */
export function callOf(member: Member): MemberCall {
  return member.call as MemberCall
}

/**
 * The closure of a call.
 * @param receiver null: a static member or a constructor
 * @param inputs in the form of the member's parameters
 */
export function runMember(
  member: Member,
  receiver: Run | null,
  inputs: readonly Code[],
  offset: number,
): Run {
  return receiver === null
    ? staticRun(callOf(member), inputs, offset)
    : receiverRun(callOf(member), receiver, inputs, offset)
}

function staticRun(call: MemberCall, inputs: readonly Code[], offset: number): Run {
  const first = inputs[0]?.run
  const second = inputs[1]?.run
  switch (inputs.length) {
    case 1:
      return frame => {
        const input = first!(frame)
        try {
          return call(frame.execution.run, null, input)
        } catch (error) {
          throw located(error, offset)
        }
      }
    case 2:
      return frame => {
        const a = first!(frame)
        const b = second!(frame)
        try {
          return call(frame.execution.run, null, a, b)
        } catch (error) {
          throw located(error, offset)
        }
      }
    default:
      return frame => {
        const given = inputs.map(input => input.run(frame))
        try {
          return call(frame.execution.run, null, ...given)
        } catch (error) {
          throw located(error, offset)
        }
      }
  }
}

function receiverRun(
  call: MemberCall,
  receiver: Run,
  inputs: readonly Code[],
  offset: number,
): Run {
  const first = inputs[0]?.run
  const second = inputs[1]?.run
  switch (inputs.length) {
    case 0:
      return frame => {
        const owner = receiver(frame)
        try {
          return call(frame.execution.run, owner)
        } catch (error) {
          throw located(frozenFault(error, owner), offset)
        }
      }
    case 1:
      return frame => {
        const owner = receiver(frame)
        const input = first!(frame)
        try {
          return call(frame.execution.run, owner, input)
        } catch (error) {
          throw located(frozenFault(error, owner), offset)
        }
      }
    case 2:
      return frame => {
        const owner = receiver(frame)
        const a = first!(frame)
        const b = second!(frame)
        try {
          return call(frame.execution.run, owner, a, b)
        } catch (error) {
          throw located(frozenFault(error, owner), offset)
        }
      }
    default:
      return frame => {
        const owner = receiver(frame)
        const given = inputs.map(input => input.run(frame))
        try {
          return call(frame.execution.run, owner, ...given)
        } catch (error) {
          throw located(frozenFault(error, owner), offset)
        }
      }
  }
}
