// Draws at most once a frame, or twice a second for readers who want little motion.
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Calls `draw()` again and again until `stop()`; hidden tabs rest by themselves. */
export function loop(draw) {
  let frame = 0;
  let timer = 0;
  let running = true;

  function step() {
    draw();
    if (!running) return;
    if (calm.matches) timer = setTimeout(step, 500);
    else frame = requestAnimationFrame(step);
  }

  step();
  return {
    stop() {
      running = false;
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    },
  };
}
