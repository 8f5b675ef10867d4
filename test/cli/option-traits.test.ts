import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addOptions } from '../../src/cli/options/flags.ts';
import { jobOptionNames, namesInTopic, optionNames, submittedNames, topics } from '../../src/config/options.ts';

describe('an option', () => {
  it('cannot be misspelt where it is named', () => {
    // @ts-expect-error There is no such option.
    expect(() => addOptions(new Command(), ['outOfOrdr'])).toThrow(TypeError);
    // @ts-expect-error There is no such topic.
    expect(namesInTopic('sendin')).toEqual([]);
  });

  it('has one topic at most', () => {
    const listed = topics.flatMap((topic) => namesInTopic(topic));
    expect(listed.length).toBeGreaterThan(40);
    expect(new Set(listed).size).toBe(listed.length);
    for (const name of listed) expect(optionNames).toContain(name);
  });

  it('of a submission is one of a job, which also says where its files are', () => {
    expect(jobOptionNames.filter((name) => !submittedNames.includes(name))).toEqual([
      ...['store', 'allowNetworkFs', 'rehearseFor', 'report', 'format'],
    ]);
    for (const topic of ['reading', 'planning', 'target'] as const)
      for (const name of namesInTopic(topic)) {
        // A person confirms a reading, once.
        if (name !== 'confirmReading' && name !== 'decidedBy') expect(jobOptionNames, name).toContain(name);
      }
    expect(submittedNames).toContain('outOfOrder');
  });
});
