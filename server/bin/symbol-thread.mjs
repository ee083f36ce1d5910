// Draws symbols in a thread of its own: a large one takes tens of milliseconds, in which the server could answer nobody.
import { code128, datamatrix, drawingSVG } from 'bwip-js/node';
import { answerWith } from './background-thread.mjs';

const BAR_HEIGHT_MM = 12;

answerWith(({ text, shape }) => {
  const options = { text, parsefnc: true, scale: 2 };
  return shape === 'matrix'
    ? datamatrix({ bcid: 'datamatrix', ...options }, drawingSVG())
    : code128({ bcid: 'code128', ...options, height: BAR_HEIGHT_MM }, drawingSVG());
});
