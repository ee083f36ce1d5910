// Loaded before the program (`node --import`): the system clock of this process is LOTWARD_TEST_SHIFT_MS ahead, from the
// start with LOTWARD_TEST_SHIFT_AT_START, and otherwise on and off with SIGUSR2. Monotonic clocks are left alone.
const RealDate = Date;
const aheadMs = Number(process.env.LOTWARD_TEST_SHIFT_MS);
let shiftMs = process.env.LOTWARD_TEST_SHIFT_AT_START ? aheadMs : 0;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shiftMs);
    else super(...args);
  }
  static now() {
    return RealDate.now() + shiftMs;
  }
};

process.on('SIGUSR2', () => {
  shiftMs = shiftMs === 0 ? aheadMs : 0;
});
