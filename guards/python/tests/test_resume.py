"""Whether a training goes on from a file, by what is known without the file."""

import unittest

from trainvet import resume


class Asked(unittest.TestCase):
    def test_the_command_line(self):
        for line in ("--resume", "--resume last.pt", "--resume=last.pt", "--resume_from_checkpoint out/checkpoint-5", "trainer.resume=true", "--auto-resume", "-c x --continue-training"):
            self.assertTrue(resume.asked(line.split()), line)
        for line in ("", "--lr 1", "--no-resume", "--resume false", "--resume=", "--resume None", "train.py data", "resumes.txt=0"):
            self.assertFalse(resume.asked(line.split()), line)


class Series(unittest.TestCase):
    def same(self, a, b):
        return resume.series(a) == resume.series(b)

    def test_files_that_follow_each_other(self):
        self.assertTrue(self.same("out/last.pt", "out/last.pt"))
        self.assertTrue(self.same("out/epoch_3.pt", "out/epoch_12.pt"))
        self.assertTrue(self.same("out/checkpoint-100/pytorch_model.bin", "out/checkpoint-200/pytorch_model.bin"))

    def test_files_of_other_trainings(self):
        self.assertFalse(self.same("out/pretrained.pt", "out/finetuned.pt"))
        self.assertFalse(self.same("out/stage1.pt", "out/stage2.pt"))
        self.assertFalse(self.same("a/last.pt", "b/last.pt"))


if __name__ == "__main__":
    unittest.main()
