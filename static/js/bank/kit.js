// The minutes of a kit, summed while they are typed.
import { all, find, mount } from "../dom.js";

mount("kit", (form) => {
  const total = find("[data-kit-minutes]");
  form.addEventListener("input", () => {
    const minutes = all("input[name$='-minutes']", form).map((field) => Number(field.value) || 0);
    total.textContent = minutes.reduce((sum, each) => sum + each, 0);
  });
});
