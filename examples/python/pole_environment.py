# SPDX-License-Identifier: Apache-2.0
"""A pole on a cart between two walls, in the manner of Gymnasium (without needing it).

    environment = PoleEnvironment(seed=1)
    observation, info = environment.reset()
    observation, reward, terminated, truncated, info = environment.step(0.5)     # the push, in [-1, 1]

Unlike simulators with fixed steps, the impacts of the cart on the walls happen inside a step, at their own times.
"""
import numpy as np

import clack

MODEL = {
    "clack": 1,
    "name": "pole on a cart",
    "parameters": {"M": 1, "m": 0.1, "l": 0.5, "g": 9.81, "wall": 2.4},
    "inputs": {"push": 0},
    "coordinates": {"x": 0, "phi": 0.05},
    "mass_matrix": [["M + m", "m*l*cos(phi)"], ["m*l*cos(phi)", "m*l^2"]],
    "force": ["push + m*l*phi_dot^2*sin(phi)", "m*g*l*sin(phi)"],
    "contacts": {
        "left": {"gap": "x + wall", "restitution": 0.3},
        "right": {"gap": "wall - x", "restitution": 0.3},
    },
    "run": {"until": 1000, "sample": 1000},
}


class PoleEnvironment:
    """Observation: x, phi, and their rates. Reward: 1 per step as long as the pole stands."""

    tick, strongest, fallen, longest = 0.02, 10.0, 0.8, 500

    def __init__(self, seed=None):
        self.model = clack.Model.from_dict(MODEL)
        self.random = np.random.default_rng(seed)
        self.simulation, self.steps = None, 0

    def reset(self, seed=None, options=None):
        if seed is not None:
            self.random = np.random.default_rng(seed)
        x, phi = self.random.uniform(-0.1, 0.1, 2)
        self.simulation, self.steps = clack.Simulation(self.model.with_settings(x_0=x, phi_0=phi)), 0
        return self._observation(), {}

    def step(self, action):
        self.simulation.set_input("push", self.strongest * float(np.clip(action, -1, 1)))
        self.simulation.step(self.tick)
        self.steps += 1
        observation = self._observation()
        terminated = bool(abs(observation[1]) > self.fallen) or self.simulation.is_over
        return observation, 1.0, terminated, self.steps >= self.longest, {"time": self.simulation.time}

    def _observation(self):
        q, v = self.simulation.state
        return np.concatenate([q, v])


if __name__ == "__main__":
    environment = PoleEnvironment(seed=1)
    (x, phi, speed, rate), _ = environment.reset()
    stands = 0
    while True:
        (x, phi, speed, rate), reward, terminated, truncated, _ = environment.step(2 * phi + 0.4 * rate + 0.06 * x + 0.12 * speed)
        stands += reward
        if terminated or truncated:
            break
    print(f"stood for {stands:.0f} steps")
