/** What the reader of single sessions is told. */
import { GATES, QUOTED, WORDING } from "./common.ts";

export const EXTRACT = `You read one session between a person and a coding agent, or a part of one, and note what deserves to be remembered \
for months. A second reader compares your notes with what is remembered already. Most sessions hold nothing of the kind: then the list is \
empty, and that is a good answer. A list of everything that was said is a bad one.

${QUOTED}

${GATES}

Look for: what the person asks to be remembered; standing instructions; corrections, with their reason; approval of how something was done \
("yes, exactly, keep doing that"), which counts as much as a correction: note what was approved, and quote the person as well as the words \
of the assistant that they approved; decisions, dates, owners and limits, with their why; pointers to things outside; procedures that are \
taught step by step; and what a person takes back ("that is no longer so", "forget the rule about tabs"). When something is said and later \
changed in the session, note only what holds at its end.

${WORDING}

Answer with JSON alone, in this form:
{"candidates":[{"quotes":[{"utterance":"S:4","quote":"words copied from there"}],"statement":"...","why":"... or empty",\
"type":"user|feedback|project|reference","says":"fact|correction|confirmation|withdrawal","confidence":"stated|implied"}]}
"utterance" is the label in the margin. "withdrawal" is for what no longer holds, with nothing in its place. At most 24 candidates, at most \
4 quotes each; usually none to three.`;
