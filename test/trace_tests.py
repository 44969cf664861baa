"""Tests of utils/convert-trace.py, with entries whose jobs are computed by hand."""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCRIPT = os.path.join(ROOT, "utils", "convert-trace.py")
SAMPLES = os.path.join(ROOT, "data", "clusters")

HELIOS = "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n"


def attempt(begin, end, *gpus):
    """Returns an attempt of a job of Philly, on servers with these numbers of GPUs."""
    detail = [{"ip": "m1", "gpus": [f"gpu{i}" for i in range(count)]} for count in gpus]
    return {"start_time": begin, "end_time": end, "detail": detail}


def philly(**changes):
    """Returns a file of Philly with one job of two attempts, 74 s and 53 h 39 min 42 s long."""
    job = {
        "jobid": "application_1",
        "submitted_time": "2017-10-07 01:11:39",
        "attempts": [
            attempt("2017-10-07 01:12:09", "2017-10-07 01:13:23", 8),
            attempt("2017-10-07 01:13:30", "2017-10-09 06:53:12", 8, 4),
            attempt("2017-10-09 06:54:00", None, 8),
        ],
    }
    job.update(changes)
    return json.dumps([job])


class TraceTests(unittest.TestCase):
    """What the script makes of files."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_script(self, kind, *texts, options=()):
        """Convert files with these texts: return the exit status, the output and the sentence."""
        paths = []
        for number, text in enumerate(texts):
            paths.append(os.path.join(self.folder.name, f"file{number}"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(text)
        result = subprocess.run(
            [sys.executable, SCRIPT, kind, *paths, *options], capture_output=True, text=True, check=False
        )
        return result.returncode, result.stdout, result.stderr

    def check(self, expected, kind, *texts, options=()):
        """Compare the jobs that files give."""
        status, output, sentence = self.run_script(kind, *texts, options=options)
        self.assertEqual(status, 0, sentence)
        self.assertEqual(output, "job_id,gpu_num,submit_time,duration\n" + expected)

    def refuse(self, part, kind, *texts):
        """Expect a sentence in place of jobs."""
        status, output, sentence = self.run_script(kind, *texts)
        self.assertNotEqual(status, 0)
        self.assertEqual(output, "")
        self.assertIn(part, sentence)
        self.assertEqual(sentence.count("\n"), 1, sentence)

    def test_philly(self):
        """All attempts that have ended count, with the GPUs of the last one."""
        seconds = 74 + 2 * 86400 + 5 * 3600 + 39 * 60 + 42
        self.check(f"application_1,12,2017-10-07 01:11:39,{seconds}\n", "philly", philly())
        self.check("", "philly", philly(attempts=[]))
        # A job without the time of its submission is left out and counted, whatever it ran
        for submitted in ("None", None):
            two = json.dumps(json.loads(philly()) + json.loads(philly(submitted_time=submitted)))
            self.check(f"application_1,12,2017-10-07 01:11:39,{seconds}\n", "philly", two)
            self.assertIn("1 jobs; 1 left out", self.run_script("philly", two)[2])

    def test_philly_damage(self):
        """Files that are not those of Philly."""
        self.refuse("is no JSON file", "philly", philly()[:-2])
        self.refuse("is no list of jobs", "philly", '{"a": 1}')
        self.refuse("has no jobs", "philly", "[]")
        self.refuse("job 1, has no key 'jobid'", "philly", '[{"submitted_time": "2017-10-07 01:11:39", "attempts": []}]')
        self.refuse("job 1, has 'soon' in place of a time", "philly", philly(submitted_time="soon"))
        self.refuse("is no object with attempts", "philly", philly(attempts=5))
        late = [attempt("2017-10-07 01:12:09", "2017-10-07 01:12:08", 8)]
        self.refuse("before it starts", "philly", philly(attempts=late))

    def test_helios(self):
        """Jobs in the order of their submission; those without GPUs or time are left out."""
        self.check(
            "2,4,2020-06-09 18:41:27,249\n1,1,2020-06-09 18:41:28,36848\n",
            "helios",
            HELIOS
            + "1,u,v,1,1,1,COMPLETED,2020-06-09 18:41:28,2020-06-09 18:41:28,2020-06-10 04:55:36,36848,0\n"
            + "2,u,v,4,16,1,FAILED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249,0\n"
            + "3,u,v,0,16,1,FAILED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249,0\n"
            + "4,u,v,2,16,1,CANCELLED,2020-06-09 18:41:27,,,0,0\n"
            + "5,u,v,2,16,1,FAILED,None,,,9,0\n",
        )

    def test_slurm_damage(self):
        """Files that are not those of Helios and Acme."""
        row = "1,u,v,1,1,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:01,2020-06-10 04:55:09,36848,0\n"
        self.refuse("has no column submit_time", "helios", HELIOS.replace("submit_", "") + row)
        self.refuse("line 2, has 11 values for 12 columns", "helios", HELIOS + row[2:])
        self.refuse("line 3, has '-1' as gpu_num", "acme", HELIOS + row + row.replace("v,1,", "v,-1,"))
        self.refuse("'2020-06-0918:41' in place of a time", "acme", HELIOS + row.replace("2020-06-09 18:41:01", "2020-06-0918:41", 1))
        self.refuse("has no jobs", "helios", HELIOS)

    def test_acme(self):
        """Times of different zones become times of one."""
        head = "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time\n"
        self.check(
            "7,8,2023-02-28 16:18:22,117\n8,16,2023-02-28 17:00:00,2693\n",
            "acme",
            head
            + "8,u,2,16,128,Other,COMPLETED,2023-02-28 17:00:00+00:00,x,x,2693,13,43088.0\n"
            + "7,u,1,8,128,Other,FAILED,2023-03-01 00:18:22+08:00,x,x,117,32,936.0\n",
        )

    def test_pai(self):
        """The tasks of a job add up: 3 x 50 % and 2 x 100 % are 4 GPUs."""
        jobs = "a,i1,u,Terminated,1000.0,2000.0\nb,i2,u,Waiting,1100.0,\n"
        tasks = (
            "a,ps,1.0,Terminated,1200.0,1999.0,600.0,29.3,,\n"
            "a,worker,3.0,Terminated,1210.0,1990.0,600.0,29.3,50.0,T4\n"
            "a,chief,2.0,Terminated,1205.0,2000.0,600.0,29.3,100.0,T4\n"
            "b,worker,3.0,Waiting,,,600.0,29.3,50.0,T4\n"
        )
        self.check("a,4,1970-01-01 00:16:40,800\n", "pai", tasks, jobs)
        self.refuse("belongs to job a, which", "pai", tasks, jobs[jobs.index("b") :])
        self.refuse("line 1, has 9 values for 10 columns", "pai", tasks.replace(",,\n", ",\n", 1), jobs)
        self.refuse("before it starts", "pai", tasks.replace("1999.0", "1199.0"), jobs)

    def test_window(self):
        """Jobs of some sizes and days only."""
        rows = "".join(
            f"{day},u,v,{gpus},1,1,COMPLETED,2020-06-{day:02} 00:00:00,,,60,0\n"
            for day, gpus in ((1, 8), (2, 4), (3, 8), (3, 64), (4, 8))
        )
        self.check(
            "3,8,2020-06-03 00:00:00,60\n",
            "helios",
            HELIOS + rows,
            options=("--least=8", "--most=32", "--begin=1", "--days=2"),
        )

    def test_samples(self):
        """The samples are read, and give as many jobs as they have with GPUs and time."""
        for kind, files, jobs in (
            ("philly", ["philly.json"], 22),
            ("helios", ["helios.csv"], 21),
            ("acme", ["acme-seren.csv"], 22),
            ("acme", ["acme-kalos.csv"], 13),
            ("pai", ["pai-tasks.csv", "pai-jobs.csv"], 19),
        ):
            paths = [os.path.join(SAMPLES, file) for file in files]
            output = subprocess.run(
                [sys.executable, SCRIPT, kind, *paths], capture_output=True, text=True, check=True
            ).stdout
            self.assertEqual(len(list(csv.DictReader(io.StringIO(output)))), jobs, files)


if __name__ == "__main__":
    unittest.main()
