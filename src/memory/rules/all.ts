/** The rules in the order in which they are asked; the first violation is the answer. Cheap and dangerous things first. */
import { forgedMark, invisibleCharacter, secret } from "./characters.ts";
import { contradiction } from "./contradiction.ts";
import { groundedDescription } from "./described.ts";
import { foreignText } from "./foreign-text.ts";
import { hintOnly } from "./hint.ts";
import { injection, instructionFromTool } from "./injection.ts";
import { relativeDate, transient } from "./lasting.ts";
import {
  alreadyKnown,
  differentSubject,
  mergeLosesDetail,
  noChange,
  retireWithoutCause,
  tombstone,
} from "./novelty.ts";
import type { Rule } from "./rule.ts";
import { noCitation, speakerNotAllowed, typeMismatch, unconfirmed } from "./speaker.ts";
import { target, topicLimit, topicName, topicWords } from "./target.ts";
import { unsupportedDetail } from "./unsupported-detail.ts";
import { wording } from "./wording.ts";
import { codeOrGit, debuggingStep, entryTooLong, junk, knownFromContext, severalFacts } from "./worth.ts";

export const RULES: readonly Rule[] = [
  invisibleCharacter,
  secret,
  forgedMark,
  injection,
  target,
  topicName,
  topicWords,
  topicLimit,
  noCitation,
  speakerNotAllowed,
  typeMismatch,
  unconfirmed,
  entryTooLong,
  tombstone,
  junk,
  relativeDate,
  transient,
  codeOrGit,
  debuggingStep,
  severalFacts,
  instructionFromTool,
  hintOnly,
  unsupportedDetail,
  wording,
  groundedDescription,
  knownFromContext,
  alreadyKnown,
  noChange,
  differentSubject,
  retireWithoutCause,
  mergeLosesDetail,
  foreignText,
  contradiction,
];
