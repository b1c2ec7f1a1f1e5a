"""Stable-Baselines3 PPO on CartPole, with its table, progress.csv and evaluations."""
import gymnasium as gym
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import EvalCallback
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.logger import configure

env, held = gym.make("CartPole-v1"), gym.make("CartPole-v1")
model = PPO("MlpPolicy", env, n_steps=512, batch_size=128, n_epochs=4, verbose=1, seed=0, device="cpu")
model.set_logger(configure("log", ["stdout", "csv"]))
model.learn(3072, callback=EvalCallback(held, n_eval_episodes=5, eval_freq=1024, log_path="log"))
mean, std = evaluate_policy(model, held, n_eval_episodes=10)
print(f"mean_reward: {mean:.2f} +/- {std:.2f}")
